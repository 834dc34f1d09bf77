# A small client of the Flowbridge broker for bash: JSON lines through socat, read with jq.
#
#     . flowbridge.sh
#     bridge_open "my script"
#     bridge_call subscribe
#     bridge_call getFlow '{"placementId":"onboarding"}'     # the answer is in $reply
#     for event in "${bridge_events[@]}"; do jq . <<<"$event"; done; bridge_events=()
#
# One connection a shell; a subshell may have one of its own. Do not call these in $(…) or behind a
# pipe: what they keep would be lost with that subshell.

bridge_last_id=0
bridge_events=()   # JSON of the events that have come and were not looked at, in order
bridge_partial=    # the beginning of a line that had no end yet
reply=             # JSON of the last answer
error=             # JSON of the last error

# bridge_default_path: prints where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR,
# else in a folder of this user under the temporary one, which nobody else may be able to enter.
bridge_default_path() {
    local folder=${TMPDIR:-/tmp}/flowbridge-$EUID
    if [ -n "${FLOWBRIDGE_SOCKET:-}" ]; then
        echo "$FLOWBRIDGE_SOCKET"
    elif [ -n "${XDG_RUNTIME_DIR:-}" ]; then
        echo "$XDG_RUNTIME_DIR/flowbridge/bridge.sock"
    elif [ -L "$folder" ] || [ "$(stat -c '%F %u %a' "$folder")" != "directory $EUID 700" ]; then
        echo "$folder must be a folder of uid $EUID with mode 0700" >&2
        return 1
    else
        echo "$folder/bridge.sock"
    fi
}

# bridge_address PATH: prints the address for socat. A shell cannot ask the kernel who serves a
# socket, so the owner of the socket's file is looked at.
bridge_address() {
    local owner
    if [ "${1:0:1}" = @ ]; then
        echo "ABSTRACT-CONNECT:${1:1}"
        return
    fi
    owner=$(stat -c %u "$1") || return
    if [ "$owner" != "$EUID" ] && [ "$owner" != 0 ]; then
        echo "$1 belongs to uid $owner, not to $EUID or root" >&2
        return 1
    fi
    echo "UNIX-CONNECT:$1"
}

# bridge_open NAME [PATH]: connects and greets; the answer is in $reply.
bridge_open() {
    local path address folder
    path=${2:-$(bridge_default_path)} && address=$(bridge_address "$path") || return
    folder=$(mktemp -d)
    mkfifo "$folder/in" "$folder/out"
    socat - "$address" <"$folder/in" >"$folder/out" &
    bridge_pid=$!
    exec {bridge_to}>"$folder/in" {bridge_from}<"$folder/out"
    rm -r "$folder"
    bridge_last_id=0 bridge_events=() bridge_partial=
    bridge_call hello "$(jq -cn --arg name "$1" \
        '{protocolMajor: 1, protocolMinor: 1, clientName: $name, maxFrame: 1048576}')"
}

# bridge_close: ends the connection.
bridge_close() {
    exec {bridge_to}>&- {bridge_from}<&-
    kill "$bridge_pid" 2>/dev/null || true
    wait "$bridge_pid" 2>/dev/null || true
}

# bridge_call METHOD [JSON [SECONDS]]: sends a request and sets $reply. Fails with $error set when
# it was refused, or had no answer within 10 s, or the given ones, and 0.1.
bridge_call() {
    local method=$1 id=$((++bridge_last_id)) line until_us microseconds got
    bridge_microseconds "${3:-10}"
    until_us=$((${EPOCHREALTIME//[.,]/} + microseconds + 100000))
    bridge_send $id "$method" "${2:-"{}"}" $((microseconds / 1000))
    [ "$method" != hello ] || method=welcome
    while bridge_read $until_us; do
        mapfile -t got < <(jq -cr "(if .event then \"event\" else .id end), has(\"error\"),
            (.event // .error // .$method // {})" <<<"$line")
        case ${got[0]} in
        event) bridge_events+=("${got[2]}") ;;
        "$id" | 0) # an error with id 0 is about the connection itself
            reply=${got[2]}
            [ "${got[1]}" = true ] || return 0
            error=$reply
            return 1 ;;
        esac # else the late answer of a call that was given up
    done
    bridge_send 0 cancel "{\"id\":$id}" 0 # id 0: no answer is wanted
    error='{"bridge":"DEADLINE_EXCEEDED","message":"no answer in time","field":"","retryable":true}'
    return 1
}

# bridge_send ID METHOD JSON MILLISECONDS: sends a request, and waits for nothing.
bridge_send() {
    printf '{"id":%d,"deadlineMs":%d,"%s":%s}\n' "$1" "$4" "$2" "${3//$'\n'/ }" >&"$bridge_to"
}

# bridge_next_event SECONDS: sets $event to the next one; fails when none comes in time.
bridge_next_event() {
    local line until_us microseconds got
    bridge_microseconds "$1"
    until_us=$((microseconds + ${EPOCHREALTIME//[.,]/}))
    while [ ${#bridge_events[@]} -eq 0 ]; do
        bridge_read $until_us || return
        got=$(jq -c '.event // empty' <<<"$line")
        [ -z "$got" ] || bridge_events+=("$got")
    done
    event=${bridge_events[0]}
    bridge_events=("${bridge_events[@]:1}")
}

# bridge_read MICROSECONDS: sets $line to the next line, if it comes before that time.
bridge_read() {
    local left=$(($1 - ${EPOCHREALTIME//[.,]/})) seconds
    [ $left -gt 0 ] || left=1
    printf -v seconds '%d.%06d' $((left / 1000000)) $((left % 1000000))
    if IFS= read -r -t "$seconds" -u "$bridge_from" line; then
        line=$bridge_partial$line bridge_partial=
    else
        bridge_partial+=$line
        return 1
    fi
}

# bridge_microseconds SECONDS: sets $microseconds, for a number such as 0.2.
bridge_microseconds() {
    local part=000000
    [[ $1 != *.* ]] || part=${1#*.}000000
    microseconds=$((10#${1%.*} * 1000000 + 10#${part:0:6}))
}
