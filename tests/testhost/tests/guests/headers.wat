;; Adds, replaces, removes and reads headers, counts requests, logs, and answers "/stop" itself.
(module
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_header_map_pairs" (func $pairs (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_header_map_value" (func $get (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_add_header_map_value" (func $add (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_replace_header_map_value" (func $replace (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_remove_header_map_value" (func $remove (param i32 i32 i32) (result i32)))
  (import "env" "proxy_send_local_response" (func $local (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_define_metric" (func $define (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_increment_metric" (func $increment (param i32 i64) (result i32)))
  (import "env" "proxy_grpc_close" (func $not_provided (param i32) (result i32)))
  (memory (export "memory") 1)
  (global $heap (mut i32) (i32.const 4096))
  ;; 0: address and 4: length of what the host gave; 8: metric id
  (data (i32.const 16) "x-a")        ;; 3
  (data (i32.const 32) "x-first")    ;; 7
  (data (i32.const 48) "x-drop")     ;; 6
  (data (i32.const 64) "requests")   ;; 8
  (data (i32.const 80) "x-stop")     ;; 6
  (data (i32.const 96) "stopped")    ;; 7
  (data (i32.const 112) "x-trap")    ;; 6
  (data (i32.const 128) "x-grpc")    ;; 6
  (data (i32.const 144) "x-status")  ;; 8
  (data (i32.const 160) "x-loop")    ;; 6
  (data (i32.const 176) "no")        ;; 2: one header map with no pairs is 4 zero bytes at 192
  (data (i32.const 208) "x-wild")    ;; 6
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "_initialize"))
  (func (export "malloc") (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $heap))
    (global.set $heap (i32.add (global.get $heap) (local.get $size)))
    (local.get $at))
  ;; Whether the request has a header of this name.
  (func $has (param $at i32) (param $length i32) (result i32)
    (i32.eqz (call $get (i32.const 0) (local.get $at) (local.get $length) (i32.const 0) (i32.const 4))))
  (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.const 1))
  ;; Logs its configuration; takes it unless it starts with "n".
  (func (export "proxy_on_configure") (param $context i32) (param $size i32) (result i32)
    (drop (call $buffer (i32.const 7) (i32.const 0) (i32.const -1) (i32.const 0) (i32.const 4)))
    (drop (call $log (i32.const 2) (i32.load (i32.const 0)) (i32.load (i32.const 4))))
    (drop (call $define (i32.const 0) (i32.const 64) (i32.const 8) (i32.const 8)))
    (i32.ne (i32.load8_u (i32.load (i32.const 0))) (i32.const 110)))
  (func (export "proxy_on_request_headers") (param $context i32) (param $count i32) (param $end i32) (result i32)
    (drop (call $increment (i32.load (i32.const 8)) (i64.const 1)))
    (if (call $has (i32.const 112) (i32.const 6)) (then unreachable))
    (if (call $has (i32.const 128) (i32.const 6)) (then (drop (call $not_provided (i32.const 0)))))
    (if (call $has (i32.const 160) (i32.const 6)) (then (loop $again (br $again))))
    ;; A pointer far outside the memory: the status goes to x-status as one digit.
    (if (call $has (i32.const 208) (i32.const 6)) (then
      (i32.store8 (i32.const 220) (i32.add (i32.const 48)
        (call $get (i32.const 0) (i32.const 0x7fffffff) (i32.const 6) (i32.const 0) (i32.const 4))))
      (drop (call $add (i32.const 0) (i32.const 144) (i32.const 8) (i32.const 220) (i32.const 1)))))
    (if (call $has (i32.const 80) (i32.const 6)) (then
      (drop (call $local (i32.const 503) (i32.const 96) (i32.const 7) (i32.const 176) (i32.const 2)
        (i32.const 192) (i32.const 4) (i32.const -1)))
      (return (i32.const 1))))
    ;; x-first gets the first x-a, of however many.
    (if (call $has (i32.const 16) (i32.const 3)) (then
      (drop (call $replace (i32.const 0) (i32.const 32) (i32.const 7) (i32.load (i32.const 0)) (i32.load (i32.const 4))))))
    (drop (call $remove (i32.const 0) (i32.const 48) (i32.const 6)))
    (drop (call $pairs (i32.const 0) (i32.const 0) (i32.const 4)))
    (i32.const 0))
  ;; The request headers are gone now: the status of asking for them goes to x-status.
  (func (export "proxy_on_response_headers") (param $context i32) (param $count i32) (param $end i32) (result i32)
    (i32.store8 (i32.const 220) (i32.add (i32.const 48)
      (call $get (i32.const 0) (i32.const 16) (i32.const 3) (i32.const 0) (i32.const 4))))
    (drop (call $add (i32.const 2) (i32.const 144) (i32.const 8) (i32.const 220) (i32.const 1)))
    (i32.const 0)))
