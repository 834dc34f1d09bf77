// A synchronous gRPC C++ server on a Unix socket, whose one call does nothing.
//
//   grpc-server PATH

#include <grpcpp/grpcpp.h>

#include <iostream>
#include <string>

#include "bench.grpc.pb.h"

class BenchService final : public bench::Bench::Service {
    grpc::Status Call(grpc::ServerContext *, const bench::Request *request,
                      bench::Answer *answer) override
    {
        if (request->answer_bytes() == 0)
            answer->set_payload(request->payload());
        else
            answer->mutable_payload()->assign(request->answer_bytes(), 'x');
        return grpc::Status::OK;
    }
};

int main(int argc, char **argv)
{
    if (argc != 2) {
        std::cerr << "usage: grpc-server PATH\n";
        return 2;
    }
    BenchService service;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + std::string(argv[1]), grpc::InsecureServerCredentials());
    builder.RegisterService(&service);
    std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    if (!server)
        return 1;
    server->Wait();
}
