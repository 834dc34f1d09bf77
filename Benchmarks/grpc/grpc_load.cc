// Unary calls on one channel to grpc-server; prints the same line as bridge-load.
//
//   grpc-load PATH SECONDS IN_FLIGHT REQUEST_BYTES ANSWER_BYTES SERVER_PID
//
// One in flight uses the blocking stub, more of them the asynchronous one: each is the faster way.

#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "bench.grpc.pb.h"

extern "C" {
#include "../load/measure.h"
}

namespace {

struct Load {
    std::string path;
    double seconds;
    int in_flight;
    bench::Request request;
    pid_t server;
};

void stop_unless(const grpc::Status &status)
{
    if (!status.ok()) {
        fprintf(stderr, "grpc: %s\n", status.error_message().c_str());
        exit(1);
    }
}

void call_once(bench::Bench::Stub &stub, const bench::Request &request)
{
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    bench::Answer answer;
    stop_unless(stub.Call(&context, request, &answer));
}

void round_trips(bench::Bench::Stub &stub, const Load &load, stretch &stretch, uint64_t until)
{
    for (uint64_t before = stretch.started_ns, after; before < until; before = after) {
        call_once(stub, load.request);
        after = now_ns();
        samples_add(&stretch.latencies, after - before);
        stretch.requests++;
    }
}

// A call that is under way.
struct Flight {
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::ClientAsyncResponseReader<bench::Answer>> reader;
    bench::Answer answer;
    grpc::Status status;

    void start(bench::Bench::Stub &stub, const bench::Request &request,
               grpc::CompletionQueue &queue)
    {
        context = std::make_unique<grpc::ClientContext>();
        reader = stub.AsyncCall(context.get(), request, &queue);
        reader->Finish(&answer, &status, this);
    }
};

void pipelined(bench::Bench::Stub &stub, const Load &load, stretch &stretch, uint64_t until)
{
    grpc::CompletionQueue queue;
    std::vector<Flight> flights(static_cast<size_t>(load.in_flight));
    for (Flight &flight : flights)
        flight.start(stub, load.request, queue);
    void *tag;
    bool ok;
    while (now_ns() < until && queue.Next(&tag, &ok)) {
        auto *flight = static_cast<Flight *>(tag);
        stop_unless(flight->status);
        stretch.requests++;
        flight->start(stub, load.request, queue);
    }
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: grpc-load PATH SECONDS IN_FLIGHT REQUEST ANSWER SERVER_PID\n");
        return 2;
    }
    Load load = {argv[1], std::stod(argv[2]), std::stoi(argv[3]), {}, std::stoi(argv[6])};
    load.request.set_payload(std::string(std::stoul(argv[4]), 'x'));
    load.request.set_answer_bytes(static_cast<uint32_t>(std::stoul(argv[5])));

    auto stub = bench::Bench::NewStub(
        grpc::CreateChannel("unix:" + load.path, grpc::InsecureChannelCredentials()));
    for (int i = 0; i < 500; i++)
        call_once(*stub, load.request);

    stretch stretch;
    stretch_start(&stretch, load.server);
    uint64_t until = stretch.started_ns + static_cast<uint64_t>(load.seconds * 1e9);
    if (load.in_flight == 1)
        round_trips(*stub, load, stretch, until);
    else
        pipelined(*stub, load, stretch, until);
    stretch_report(&stretch, load.server);
    fflush(stdout);
    _exit(0);  // calls may still be under way
}
