# Shared by the scripts of this folder's parent: the Python classes of the wire's messages.

# Debian's own Python: its python3-protobuf is not seen by another one that may be first on PATH.
python=/usr/bin/python3

# generate_python ROOT: writes them to ROOT/.build/python, where examples/python looks for them.
generate_python() {
    local root=$1 out=$1/.build/python
    mkdir -p "$out"
    protoc -I "$root/proto" --python_out="$out" "$root"/proto/flowbridge/v1/*.proto
}
