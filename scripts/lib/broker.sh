# Shared by the scripts of this folder's parent: building, starting and stopping a broker.

# build_release ROOT PRODUCT…: builds each, sets release_folder to where the programs are.
build_release() {
    local root=$1 product
    shift
    command -v swift >/dev/null || {
        echo "swift is not on PATH: install the toolchain (https://www.swift.org/install)" >&2
        return 1
    }
    for product in "$@"; do
        (cd "$root" && swift build -c release --static-swift-stdlib --product "$product")
    done
    release_folder=$(cd "$root" && swift build -c release --static-swift-stdlib --show-bin-path)
}

# start_broker PROGRAM FOLDER [ARGUMENT…]: starts it on FOLDER/bridge.sock and returns when it
# says that it is ready. Sets broker_pid and broker_socket; its log is FOLDER/broker.log.
start_broker() {
    local program=$1 folder=$2 log=$2/broker.log
    shift 2
    broker_socket=$folder/bridge.sock
    : >"$log"
    "$program" --socket "$broker_socket" "$@" >"$log" 2>&1 &
    broker_pid=$!
    # tail ends with the broker, so a broker that fails to start is noticed as well.
    if ! grep -q -m1 '"ready":true' < <(tail -n +1 -f --pid="$broker_pid" "$log"); then
        echo "The broker ended before it was ready:" >&2
        cat "$log" >&2
        return 1
    fi
}

# stop_broker: asks the broker to leave and returns its exit status; no broker is a success.
stop_broker() {
    [ -n "${broker_pid:-}" ] || return 0
    local pid=$broker_pid
    broker_pid=
    kill -TERM "$pid" 2>/dev/null || true
    wait "$pid"
}
