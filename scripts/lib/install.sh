# Shared by the scripts of this folder's parent: which Debian packages the project needs, and how
# to get those that are missing. Source it; it runs nothing by itself.

# What building and running the broker takes, beyond the Swift toolchain and gcc.
broker_packages=(
    pkg-config libprotobuf-c-dev libjansson-dev libsimdjson-dev libcctz-dev libmd-dev
    libpcre2-dev libsqlite3-dev tzdata
)

# What the Python client takes: /usr/bin/python3 and its protobuf runtime, and the generator.
python_packages=(python3 python3-protobuf protobuf-compiler)

# as_root COMMAND…: runs it directly for root, else through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "Root is needed for: $*" >&2
        echo "Become root or install sudo, then start this again." >&2
        return 1
    fi
}

# is_installed PACKAGE: succeeds when dpkg has it unpacked and configured.
is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_packages PACKAGE…: installs those that are missing and says which; silent when none is.
need_packages() {
    local package missing=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0

    echo "Installing Debian packages: ${missing[*]}"
    # The lists are fetched once for a script, also when it needs packages several times.
    if [ -z "${package_lists_fresh:-}" ]; then
        as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
        package_lists_fresh=yes
    fi
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}"
}
