#!/usr/bin/env bash
# Builds every program of the benchmarks into Benchmarks/out, the broker excepted, and installs the
# Debian packages that this takes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. ../scripts/lib/install.sh
need_packages "${broker_packages[@]}" g++ libgrpc++-dev libprotobuf-dev protobuf-compiler \
    protobuf-compiler-grpc
out=out
mkdir -p "$out"

flags=(-std=c11 -O2 -Wall -Wextra -Werror)
gcc "${flags[@]}" -o "$out/echo-server" echo/*.c wire/*.c

generated=../Sources/CBridgeWire
gcc "${flags[@]}" -I "$generated/include" -o "$out/bridge-load" \
    load/*.c wire/*.c "$generated"/flowbridge/v1/*.pb-c.c -lprotobuf-c

# Debian's headers of gRPC warn by themselves; as system headers they are left alone.
protoc -I grpc --cpp_out="$out" --grpc_out="$out" \
    --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)" grpc/bench.proto
gcc "${flags[@]}" -c -o "$out/measure.o" load/measure.c
gcc "${flags[@]}" -c -o "$out/unix_socket.o" wire/unix_socket.c
for program in server load; do
    g++ -std=c++17 -O2 -Wall -Wextra -Werror -isystem "$out" -o "$out/grpc-$program" \
        "grpc/grpc_$program.cc" "$out/bench.pb.cc" "$out/bench.grpc.pb.cc" \
        "$out/measure.o" "$out/unix_socket.o" $(pkg-config --libs grpc++ protobuf)
done

# The engine without a broker around it; a package of its own beside the project's.
swift build -c release --static-swift-stdlib --package-path engine
cp "$(swift build -c release --static-swift-stdlib --package-path engine --show-bin-path)/EngineLoad" \
    "$out/engine-load"
