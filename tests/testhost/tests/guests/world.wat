;; On each tick: draws 8 random bytes, reads the clock, asks the cluster "admin" for "/x", and
;; publishes what the last answer said under the shared key "k".
(module
  (import "env" "proxy_set_tick_period_milliseconds" (func $period (param i32) (result i32)))
  (import "env" "proxy_get_current_time_nanoseconds" (func $now (param i32) (result i32)))
  (import "env" "proxy_http_call" (func $call (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_buffer_bytes" (func $buffer (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_set_shared_data" (func $share (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_get_property" (func $property (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_define_metric" (func $define (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_record_metric" (func $record (param i32 i64) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (global $heap (mut i32) (i32.const 4096))
  (data (i32.const 32) "k")
  (data (i32.const 48) "admin")
  (data (i32.const 64) "draw")
  (data (i32.const 80) "clock")
  (data (i32.const 96) "called")
  (data (i32.const 112) "xds\00node")   ;; 8
  (data (i32.const 128) "property")      ;; 8
  ;; Three pairs: :method GET, :path /x, :authority a
  (data (i32.const 256)
    "\03\00\00\00"
    "\07\00\00\00\03\00\00\00" "\05\00\00\00\02\00\00\00" "\0a\00\00\00\01\00\00\00"
    ":method\00GET\00" ":path\00/x\00" ":authority\00a\00")
  (func (export "proxy_abi_version_0_2_1"))
  (func (export "_initialize"))
  (func (export "proxy_on_memory_allocate") (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $heap))
    (global.set $heap (i32.add (global.get $heap) (local.get $size)))
    (local.get $at))
  (func $gauge (param $at i32) (param $length i32) (param $value i64)
    (drop (call $define (i32.const 1) (local.get $at) (local.get $length) (i32.const 8)))
    (drop (call $record (i32.load (i32.const 8)) (local.get $value))))
  (func (export "proxy_on_configure") (param i32 i32) (result i32)
    (drop (call $period (i32.const 50)))
    (i32.const 1))
  (func (export "proxy_on_tick") (param i32)
    (drop (call $random (i32.const 16) (i32.const 8)))
    (call $gauge (i32.const 64) (i32.const 4) (i64.load (i32.const 16)))
    (drop (call $now (i32.const 16)))
    (call $gauge (i32.const 80) (i32.const 5) (i64.load (i32.const 16)))
    (call $gauge (i32.const 128) (i32.const 8) (i64.extend_i32_u
      (call $property (i32.const 112) (i32.const 8) (i32.const 0) (i32.const 4))))
    (call $gauge (i32.const 96) (i32.const 6) (i64.extend_i32_u
      (call $call (i32.const 48) (i32.const 5) (i32.const 256) (i32.const 68) (i32.const 0) (i32.const 0)
        (i32.const 0) (i32.const 0) (i32.const 1000) (i32.const 12)))))
  (func (export "proxy_on_http_call_response") (param i32 i32 i32 i32 i32)
    (drop (call $buffer (i32.const 4) (i32.const 0) (i32.const -1) (i32.const 0) (i32.const 4)))
    (drop (call $share (i32.const 32) (i32.const 1) (i32.load (i32.const 0)) (i32.load (i32.const 4)) (i32.const 0)))))
