"""A real gRPC client with what it talks to: a control plane and echoing hosts.

Reads one command a line on standard input and answers each with one line, both JSON:

  {"op": "hosts", "number": N}         starts N hosts; {"hosts": ["127.0.0.1:PORT", ...]}
  {"op": "hosts", "addresses": [...]}  starts a host at each of these; {"hosts": the same}
  {"op": "serve", "resources": [...]}  what the control plane has from now on, in proto3 JSON;
                                       {"refused": [...]} once the client has taken it
  {"op": "call", "cookie": TEXT|null}  one request; {"host", "set_cookie"} or {"error"}
  {"op": "calls", "number": N}         N requests, one after the other; {"hosts": {ADDRESS: COUNT},
                                       "errors": {TEXT: COUNT}}
  {"op": "stop"|"start", "host": N}    a host ends, or is back on its port; {}

The only argument is a folder for the bootstrap file. Everything ends with standard input.
"""

import json
import os
import queue
import sys
import threading
from collections import Counter
from concurrent import futures

import grpc
from google.protobuf import any_pb2, json_format

# Each import makes the type known to json_format.
from envoy.config.cluster.v3 import cluster_pb2  # noqa: F401
from envoy.config.endpoint.v3 import endpoint_pb2  # noqa: F401
from envoy.config.listener.v3 import listener_pb2  # noqa: F401
from envoy.extensions.clusters.aggregate.v3 import cluster_pb2 as aggregate_pb2  # noqa: F401
from envoy.extensions.filters.http.router.v3 import router_pb2  # noqa: F401
from envoy.extensions.filters.http.stateful_session.v3 import stateful_session_pb2  # noqa: F401
from envoy.extensions.filters.network.http_connection_manager.v3 import (  # noqa: F401
    http_connection_manager_pb2,
)
from envoy.extensions.http.stateful_session.cookie.v3 import cookie_pb2  # noqa: F401
from envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3 import (  # noqa: F401
    client_side_weighted_round_robin_pb2,
)
from envoy.extensions.load_balancing_policies.cluster_provided.v3 import (  # noqa: F401
    cluster_provided_pb2,
)
from envoy.extensions.load_balancing_policies.round_robin.v3 import round_robin_pb2  # noqa: F401
from envoy.extensions.load_balancing_policies.wrr_locality.v3 import wrr_locality_pb2  # noqa: F401
from envoy.service.discovery.v3 import ads_pb2_grpc, discovery_pb2

TARGET = "xds:///shop"
METHOD = "/test.Echo/Where"
CALL_LIMIT = 20
TAKEN_LIMIT = 20


class ControlPlane(ads_pb2_grpc.AggregatedDiscoveryServiceServicer):
    """Sends whatever was asked for, again whenever it changes."""

    def __init__(self):
        self.changed = threading.Condition()
        self.version = 0
        self.resources = []
        self.streams = []

    def serve(self, resources):
        """Returns the reasons of refusals once every stream has answered what it was sent."""
        with self.changed:
            self.resources = []
            for resource in resources:
                packed = any_pb2.Any()
                json_format.ParseDict(resource, packed)
                name = resource.get("name") or resource["cluster_name"]
                self.resources.append((packed.type_url, name, packed))
            self.version += 1
            for stream in self.streams:
                stream.put(None)
            version = self.version
            self.changed.wait_for(lambda: all(s.took(version) for s in self.streams), TAKEN_LIMIT)
            if not all(stream.took(version) for stream in self.streams):
                raise TimeoutError("the client does not take what it is sent")
            return [fault for stream in self.streams for fault in stream.faults]

    def StreamAggregatedResources(self, request_iterator, context):
        stream = Stream(request_iterator)
        with self.changed:
            self.streams.append(stream)
        try:
            while context.is_active():
                event = stream.events.get()
                if event is Stream.END:
                    return
                with self.changed:
                    answers = list(stream.answers(event, self))
                    self.changed.notify_all()
                yield from answers
        finally:
            with self.changed:
                self.streams.remove(stream)
                self.changed.notify_all()


class Stream:
    """What one client has subscribed to, by type: names, version sent, version answered."""

    END = object()

    def __init__(self, requests):
        self.events = queue.Queue()
        self.types = {}
        self.faults = []
        threading.Thread(target=self.read, args=(requests,), daemon=True).start()

    def read(self, requests):
        try:
            for request in requests:
                self.events.put(request)
        except grpc.RpcError:
            pass
        finally:
            self.events.put(Stream.END)

    def put(self, event):
        self.faults.clear()
        self.events.put(event)

    def took(self, version):
        return all(state["answered"] >= version for state in self.types.values())

    def answers(self, request, plane):
        if request is None:
            for type_url, state in self.types.items():
                if state["sent"] < plane.version:
                    yield self.answer(type_url, state, plane)
            return
        state = self.types.setdefault(request.type_url, {"names": None, "sent": 0, "answered": 0})
        if request.response_nonce and int(request.response_nonce) == state["sent"]:
            state["answered"] = state["sent"]
            if request.HasField("error_detail"):
                self.faults.append(request.error_detail.message)
        names = set(request.resource_names)
        if names != state["names"]:
            state["names"] = names
            yield self.answer(request.type_url, state, plane)
        elif state["sent"] < plane.version:
            yield self.answer(request.type_url, state, plane)

    def answer(self, type_url, state, plane):
        state["sent"] = plane.version
        found = [
            packed
            for kind, name, packed in plane.resources
            if kind == type_url and name in state["names"]
        ]
        return discovery_pb2.DiscoveryResponse(
            version_info=str(plane.version),
            nonce=str(plane.version),
            type_url=type_url,
            resources=found,
        )


class Host:
    """Answers every request with its own address."""

    def __init__(self, address="127.0.0.1:0"):
        self.ip, port = address.rsplit(":", 1)
        self.port = int(port)
        self.start()

    def start(self):
        self.server = new_server(4)
        handler = grpc.unary_unary_rpc_method_handler(lambda request, context: self.name().encode())
        service, method = METHOD.strip("/").split("/")
        self.server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler(service, {method: handler})]
        )
        self.port = self.server.add_insecure_port(self.name())
        self.server.start()

    def stop(self):
        self.server.stop(None).wait()

    def name(self):
        return f"{self.ip}:{self.port}"


def new_server(threads):
    # Without it a second program could listen on the same port, unnoticed.
    options = [("grpc.so_reuseport", 0)]
    return grpc.server(futures.ThreadPoolExecutor(max_workers=threads), options=options)


def write_bootstrap(folder, port):
    path = os.path.join(folder, "bootstrap.json")
    server = {
        "server_uri": f"127.0.0.1:{port}",
        "channel_creds": [{"type": "insecure"}],
        "server_features": ["xds_v3"],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"xds_servers": [server], "node": {"id": "peer"}}, file)
    os.environ["GRPC_XDS_BOOTSTRAP"] = path


def call(where, cookie):
    metadata = [("cookie", cookie)] if cookie else []
    try:
        answer, done = where.with_call(b"", metadata=metadata, timeout=CALL_LIMIT)
    except grpc.RpcError as error:
        return {"error": f"{error.code().name}: {error.details()}"}
    headers = dict(done.initial_metadata())
    return {"host": answer.decode(), "set_cookie": headers.get("set-cookie")}


def calls(where, number):
    hosts, errors = Counter(), Counter()
    for _ in range(number):
        answer = call(where, None)
        if "error" in answer:
            errors[answer["error"]] += 1
        else:
            hosts[answer["host"]] += 1
    return {"hosts": hosts, "errors": errors}


def main():
    plane = ControlPlane()
    server = new_server(8)
    ads_pb2_grpc.add_AggregatedDiscoveryServiceServicer_to_server(plane, server)
    write_bootstrap(sys.argv[1], server.add_insecure_port("127.0.0.1:0"))
    server.start()
    hosts = []
    channel = grpc.insecure_channel(TARGET)
    where = channel.unary_unary(METHOD)
    for line in sys.stdin:
        command = json.loads(line)
        answer = {}
        if command["op"] == "hosts":
            if "addresses" in command:
                hosts = [Host(address) for address in command["addresses"]]
            else:
                hosts = [Host() for _ in range(command["number"])]
            answer = {"hosts": [host.name() for host in hosts]}
        elif command["op"] == "serve":
            answer = {"refused": plane.serve(command["resources"])}
        elif command["op"] == "call":
            answer = call(where, command["cookie"])
        elif command["op"] == "calls":
            answer = calls(where, command["number"])
        elif command["op"] == "stop":
            hosts[command["host"]].stop()
        elif command["op"] == "start":
            hosts[command["host"]].start()
        else:
            raise ValueError(command["op"])
        print(json.dumps(answer), flush=True)
    channel.close()
    # What is still running would keep the process.
    os._exit(0)


main()
