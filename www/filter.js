// Runs requests through the shipped filter, spillgate.wasm, in a worker. The page loads this module and the
// filter on first use. The worker runs this module too.
import { FilterVm } from "./filter-host.js";

// The VM, and the configuration that it has: it serves all requests with the same configuration.
let kept;

// The first value of a header as text; empty without the header.
function header(headers, name) {
  const value = headers.find(([have]) => have === name)?.[1];
  return value ? new TextDecoder().decode(value) : "";
}

// Whether the filter accepts the configuration, its log, and five texts for each request: the status and the
// details of a local response, the host list, the cluster, and the decision as JSON.
function answerOf({ module, run, route }) {
  const [configuration, seed, now, count, hosts, cluster, trace, ...values] = run;
  if (kept?.configuration !== configuration) {
    kept = { configuration, vm: new FilterVm(module) };
  }
  const { vm } = kept;
  const { accepted, logs } = vm.configure(configuration, BigInt(seed), BigInt(now) * 1_000_000_000n);
  const answer = [accepted ? "accepted" : "refused", logs.map((line) => line.text).join("\n")];
  const headers = [];
  for (let at = 0; at < values.length; at += 2) headers.push([values[at], values[at + 1]]);
  const upstream = (changed) => header(changed, hosts).split(",")[0];
  for (let sent = 0; accepted && sent < Number(count); sent++) {
    const { request: steered, response, local } = vm.request(headers, route, upstream);
    answer.push(String(local?.status ?? ""), local?.details ?? "");
    answer.push(header(steered, hosts), header(steered, cluster), header(response, trace));
  }
  return answer;
}

if (typeof document === "undefined") {
  onmessage = ({ data }) => {
    try {
      postMessage({ answer: answerOf(data) });
    } catch (error) {
      // The memory of a VM that stopped is not trustworthy.
      kept = undefined;
      postMessage({ failed: error.message });
    }
  };
}

// A run without an answer after this many milliseconds is stopped.
const PATIENCE = 30_000;

// The compiled filter, its size in bytes and its SHA-256.
let loading;
async function load() {
  const address = new URL("./spillgate.wasm", import.meta.url);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} returned HTTP ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Browsers have hashes on HTTPS and localhost only.
  const hash = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  const hex = [...new Uint8Array(hash ?? [])].map((byte) => byte.toString(16).padStart(2, "0"));
  return { module: await WebAssembly.compile(bytes), facts: [String(bytes.byteLength), hex.join("")] };
}

let worker;
function stop() {
  worker?.terminate();
  worker = undefined;
}

async function inWorker(job) {
  // A failed attempt can be repeated.
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  const { module, facts } = await loading;
  return new Promise((resolve, reject) => {
    const fail = (reason) => {
      stop();
      reject(new Error(reason));
    };
    worker ??= new Worker(new URL("./filter.js", import.meta.url), { type: "module" });
    const timer = setTimeout(() => fail(`no answer after ${PATIENCE / 1000} seconds`), PATIENCE);
    worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      if (data.failed) fail(data.failed);
      else resolve([...facts, ...data.answer]);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      fail(event.message ?? "the browser starts no worker");
    };
    worker.postMessage({ module, ...job });
  });
}

// The run that the worker executes, and the latest one, which waits.
let running;
let next;
async function runNext() {
  running = next;
  next = undefined;
  const { job, resolve, reject } = running;
  await inWorker(job).then(resolve, reject);
  running = undefined;
  if (next) runNext();
}

// The answer to a run, after the size and the SHA-256 of the filter; empty if a later run replaces this one.
// The run has the texts of `shipped_run` in the crate that writes files; the route has its metadata.
export function run(run, route) {
  return new Promise((resolve, reject) => {
    next?.resolve([]);
    next = { job: { run, route }, resolve, reject };
    if (!running) runNext();
  });
}
