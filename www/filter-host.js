// A proxy-wasm host (ABI 0.2.1) for the filter in the browser, with the functions that spillgate.wasm
// imports.
//
// The host trusts no address of the filter: one outside of the filter's memory gets a status, as in
// Envoy. A trap ends the VM. The clock does not advance and the random bytes repeat, so that each run of
// the same requests has the same result.

// The statuses of proxy-wasm.
const OK = 0;
const NOT_FOUND = 1;
const BAD_ARGUMENT = 2;
const INVALID_MEMORY_ACCESS = 6;
const CAS_MISMATCH = 8;
const INTERNAL_FAILURE = 10;
const UNIMPLEMENTED = 12;

// Header maps, buffers and log severities of proxy-wasm.
const REQUEST_HEADERS = 0;
const RESPONSE_HEADERS = 2;
const PLUGIN_CONFIGURATION = 7;
const CRITICAL = 5;

// What one VM keeps of its log, in lines.
const MOST_LOGS = 100;

// Ends a hostcall with a status. It is no Error, because a stack trace costs more than the hostcall.
class Refusal {
  constructor(status) {
    this.status = status;
  }
}

const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { fatal: true });
const lossy = new TextDecoder();
const bytesOf = (text) => encoder.encode(text);

// The headers in the form that crosses into the filter: the count, the lengths of each name and value,
// then the texts, each followed by a zero byte.
function toWire(headers) {
  const texts = headers.flatMap(([name, value]) => [bytesOf(name), value]);
  const lengths = 4 + texts.length * 4;
  const wire = new Uint8Array(texts.reduce((sum, text) => sum + text.length + 1, lengths));
  const numbers = new DataView(wire.buffer);
  numbers.setUint32(0, headers.length, true);
  let at = lengths;
  texts.forEach((text, number) => {
    numbers.setUint32(4 + number * 4, text.length, true);
    wire.set(text, at);
    at += text.length + 1;
  });
  return wire;
}

// Reads the form of `toWire`; a text outside of the bytes is refused.
function fromWire(wire) {
  if (!wire.length) return [];
  const numbers = new DataView(wire.buffer, wire.byteOffset, wire.length);
  const number = (at) => {
    if (at + 4 > wire.length) throw new Refusal(BAD_ARGUMENT);
    return numbers.getUint32(at, true);
  };
  const count = number(0);
  let at = 4 + count * 8;
  const text = (length) => {
    if (at + length > wire.length) throw new Refusal(BAD_ARGUMENT);
    const part = wire.slice(at, at + length);
    at += length + 1;
    return part;
  };
  const headers = [];
  for (let place = 4; headers.length < count; place += 8) {
    const name = text(number(place));
    headers.push([lossy.decode(name).toLowerCase(), text(number(place + 4))]);
  }
  return headers;
}

// The hostcalls. Each gets the VM and its arguments, and returns nothing or throws.
const ENVOY = {
  proxy_log(vm, severity, at, length) {
    vm.logs.push({ severity, text: lossy.decode(vm.bytes(at, length)) });
    if (vm.logs.length > MOST_LOGS) vm.logs.shift();
  },
  proxy_get_current_time_nanoseconds: (vm, out) => vm.write64(out, vm.now),
  proxy_set_tick_period_milliseconds(vm, period) {
    vm.tickPeriod = period;
  },
  proxy_get_buffer_bytes(vm, kind, start, most, address, length) {
    const buffer = vm.buffers.get(kind);
    if (!buffer) throw new Refusal(NOT_FOUND);
    start >>>= 0;
    vm.give(buffer.subarray(start, start + (most >>> 0)), address, length);
  },
  proxy_get_header_map_pairs: (vm, map, address, length) =>
    vm.give(toWire(vm.headers(map)), address, length),
  proxy_get_header_map_value(vm, map, at, size, address, length) {
    const name = vm.name(at, size);
    const header = vm.headers(map).find(([have]) => have === name);
    if (!header) throw new Refusal(NOT_FOUND);
    vm.give(header[1], address, length);
  },
  proxy_remove_header_map_value: (vm, map, at, length) => vm.remove(map, vm.name(at, length)),
  proxy_replace_header_map_value(vm, map, at, length, valueAt, valueLength) {
    const [name, value] = [vm.name(at, length), vm.bytes(valueAt, valueLength).slice()];
    vm.remove(map, name);
    vm.headers(map).push([name, value]);
  },
  proxy_add_header_map_value(vm, map, at, length, valueAt, valueLength) {
    const [name, value] = [vm.name(at, length), vm.bytes(valueAt, valueLength).slice()];
    vm.headers(map).push([name, value]);
  },
  proxy_get_property(vm, at, size, address, length) {
    const value = vm.properties.get(vm.text(at, size));
    if (!value) throw new Refusal(NOT_FOUND);
    vm.give(value, address, length);
  },
  proxy_set_property(vm, at, length, valueAt, valueLength) {
    vm.filterState.set(vm.text(at, length), vm.bytes(valueAt, valueLength).slice());
  },
  proxy_get_shared_data(vm, at, size, address, length, revision) {
    const shared = vm.shared.get(vm.text(at, size));
    if (!shared) throw new Refusal(NOT_FOUND);
    vm.write32(revision, shared.revision);
    vm.give(shared.value, address, length);
  },
  proxy_set_shared_data(vm, at, length, valueAt, valueLength, revision) {
    const [key, value] = [vm.text(at, length), vm.bytes(valueAt, valueLength).slice()];
    const have = vm.shared.get(key)?.revision ?? 0;
    if (revision && have && revision !== have) throw new Refusal(CAS_MISMATCH);
    vm.shared.set(key, { value, revision: have + 1 });
  },
  proxy_define_metric(vm, kind, at, length, out) {
    const name = vm.text(at, length);
    const known = vm.metrics.findIndex((metric) => metric.name === name && metric.kind === kind);
    const id = known < 0 ? vm.metrics.length : known;
    vm.write32(out, id);
    vm.metrics[id] ??= { kind, name, value: 0n };
  },
  proxy_increment_metric(vm, id, by) {
    vm.metric(id).value += by;
  },
  proxy_record_metric(vm, id, value) {
    vm.metric(id).value = BigInt.asUintN(64, value);
  },
  // Each callback already has its context.
  proxy_set_effective_context() {},
  // The page has no clusters that could be called.
  proxy_http_call() {
    throw new Refusal(UNIMPLEMENTED);
  },
  proxy_send_local_response(vm, status, detailsAt, details, bodyAt, body, headersAt, headers) {
    if (vm.local) throw new Refusal(BAD_ARGUMENT);
    vm.local = {
      status,
      details: lossy.decode(vm.bytes(detailsAt, details)),
      body: lossy.decode(vm.bytes(bodyAt, body)),
      headers: fromWire(vm.bytes(headersAt, headers).slice()),
    };
  },
};

const WASI = {
  // The seed of the run, then the numbers after it.
  random_get(vm, at, length) {
    const bytes = vm.bytes(at, length);
    for (let place = 0; place < bytes.length; place += 8) {
      const word = new Uint8Array(8);
      new DataView(word.buffer).setBigUint64(0, BigInt.asUintN(64, vm.random++), true);
      bytes.set(word.subarray(0, bytes.length - place), place);
    }
  },
  clock_time_get: (vm, _clock, _precision, out) => vm.write64(out, vm.now),
  environ_sizes_get(vm, count, size) {
    vm.write32(count, 0);
    vm.write32(size, 0);
  },
  environ_get() {},
};

// A VM with the filter.
export class FilterVm {
  #exports;
  #trap;
  #root = 0;
  #contexts = 0;
  // What hostcalls read and change.
  now = 0n;
  random = 0n;
  tickPeriod = 0;
  logs = [];
  local = undefined;
  maps = new Map();
  buffers = new Map();
  properties = new Map();
  filterState = new Map();
  shared = new Map();
  metrics = [];

  // Starts a compiled module. Throws if the module imports a function that this host does not have, or
  // exports no memory and allocator.
  constructor(module) {
    const calls = (table) =>
      Object.fromEntries(
        Object.entries(table).map(([name, call]) => [name, (...values) => this.#status(call, values)]),
      );
    const imports = { env: calls(ENVOY), wasi_snapshot_preview1: calls(WASI) };
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    for (const name of ["memory", "malloc", "proxy_abi_version_0_2_1"]) {
      if (!this.#exports[name]) throw new Error(`the module exports no ${name}`);
    }
    this.call("_initialize");
  }

  // The status of a hostcall.
  #status(call, values) {
    try {
      call(this, ...values);
      return OK;
    } catch (error) {
      if (error instanceof Refusal) return error.status;
      throw error;
    }
  }

  // Calls an export; one that does not exist returns undefined. After a trap, every call throws.
  call(name, ...values) {
    if (this.#trap) throw new Error(this.#trap);
    try {
      return this.#exports[name]?.(...values);
    } catch (error) {
      const last = this.logs.findLast((line) => line.severity === CRITICAL);
      this.#trap = `the filter stopped in ${name}: ${last?.text ?? error}`;
      throw new Error(this.#trap);
    }
  }

  // Configures the filter: a new worker with the first random number `seed` at the time `now`, in
  // nanoseconds. Returns whether the filter accepts the configuration, and its log.
  configure(text, seed, now) {
    if (this.#root) this.call("proxy_on_delete", this.#root);
    [this.random, this.now, this.logs, this.tickPeriod] = [seed, now, [], 0];
    const root = (this.#root = ++this.#contexts);
    const bytes = bytesOf(text);
    this.call("proxy_on_context_create", root, 0);
    this.call("proxy_on_vm_start", root, 0);
    this.buffers.set(PLUGIN_CONFIGURATION, bytes);
    const accepted = Boolean(this.call("proxy_on_configure", root, bytes.length));
    this.buffers.delete(PLUGIN_CONFIGURATION);
    if (accepted && this.tickPeriod) this.tick();
    return { accepted, logs: this.logs };
  }

  // Runs one tick of the configuration.
  tick() {
    this.call("proxy_on_tick", this.#root);
  }

  // Sends a request with headers, pairs of texts, on a route with this metadata. The upstream host that
  // `upstream` names after the filter's changes responds with 200. Returns the headers of the request
  // and of the response as the filter left them, and its local response if it sent one.
  request(headers, route, upstream) {
    const id = ++this.#contexts;
    this.local = undefined;
    this.properties.clear();
    this.properties.set("xds\0route_metadata", route);
    this.properties.set("xds\0cluster_name", bytesOf("cluster"));
    this.call("proxy_on_context_create", id, this.#root);
    const sent = headers.map(([name, value]) => [name.toLowerCase(), bytesOf(value)]);
    const request = this.#phase("proxy_on_request_headers", id, REQUEST_HEADERS, sent);
    const local = this.local;
    if (!local) {
      this.properties.set("upstream\0address", bytesOf(upstream(request)));
      this.properties.set("response\0code_details", bytesOf("via_upstream"));
    } else {
      this.properties.set("response\0code_details", bytesOf(local.details));
    }
    const status = [":status", bytesOf(String(local?.status ?? 200))];
    const answer = [status, ...(local?.headers ?? [])];
    const response = this.#phase("proxy_on_response_headers", id, RESPONSE_HEADERS, answer);
    this.call("proxy_on_done", id);
    this.call("proxy_on_log", id);
    this.call("proxy_on_delete", id);
    return { request, response, local };
  }

  // Lends the filter one header map for one callback. Afterwards the map does not exist.
  #phase(callback, id, map, headers) {
    this.maps.set(map, headers);
    try {
      this.call(callback, id, headers.length, 1);
      return this.maps.get(map);
    } finally {
      this.maps.delete(map);
    }
  }

  // For hostcalls: the filter's memory. A call of the filter can replace the buffer of its memory, so
  // nothing keeps the result.
  bytes(at, length) {
    at >>>= 0;
    length >>>= 0;
    const { buffer } = this.#exports.memory;
    if (at + length > buffer.byteLength) throw new Refusal(INVALID_MEMORY_ACCESS);
    return new Uint8Array(buffer, at, length);
  }

  text(at, length) {
    try {
      return utf8.decode(this.bytes(at, length));
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal(BAD_ARGUMENT);
    }
  }

  name(at, length) {
    return this.text(at, length).toLowerCase();
  }

  write32(at, number) {
    const { buffer, byteOffset } = this.bytes(at, 4);
    new DataView(buffer, byteOffset, 4).setUint32(0, number, true);
  }

  write64(at, number) {
    const { buffer, byteOffset } = this.bytes(at, 8);
    new DataView(buffer, byteOffset, 8).setBigUint64(0, number, true);
  }

  // Passes data to the filter: allocates memory there, and writes the address and the length to where
  // the filter expects them. Without data the address is null, as in Envoy.
  give(data, addressAt, lengthAt) {
    // Checked first: memory that is allocated for an invalid call would never be freed.
    this.bytes(addressAt, 4);
    this.bytes(lengthAt, 4);
    let address = 0;
    if (data.length) {
      address = this.#exports.malloc(data.length) >>> 0;
      if (!address) throw new Refusal(INTERNAL_FAILURE);
      this.bytes(address, data.length).set(data);
    }
    this.write32(addressAt, address);
    this.write32(lengthAt, data.length);
  }

  // The header map of the present callback.
  headers(map) {
    const headers = this.maps.get(map);
    if (!headers) throw new Refusal(BAD_ARGUMENT);
    return headers;
  }

  remove(map, name) {
    this.maps.set(map, this.headers(map).filter(([have]) => have !== name));
  }

  metric(id) {
    const metric = this.metrics[id];
    if (!metric) throw new Refusal(NOT_FOUND);
    return metric;
  }
}
