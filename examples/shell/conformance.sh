#!/usr/bin/env bash
# Goes through the steps of docs/conformance.md in line mode and prints the transcript.
#
#     FLOWBRIDGE_SOCKET=… conformance.sh line
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/flowbridge.sh"

golden=${FLOWBRIDGE_GOLDEN:-proto/golden}
big=9007199254740993 # 2^53 + 1, which no double holds
clock='{"kind":"MANUAL","startMs":"1767225600000"}'
first_missed=18
long_inputs=24

# What a line of the transcript looks like, and the kinds of events that this program knows
transcript='
def snake: gsub("(?<c>[A-Z])"; "_" + (.c | ascii_downcase));
def quoted: [explode[] | if . >= 32 and . < 127 and . != 34 and . != 37 and . != 92
    then [.] | implode else [.] | implode | @uri end] | "\"" + join("") + "\"";
def hex($digits): if $digits == 0 then "" else
    ((. / 16 | floor) | hex($digits - 1)) + ("0123456789abcdef"[. % 16:. % 16 + 1]) end;
def bits: # of a double: sign, 11 of the exponent, 52 of the mantissa
    if . == "NaN" then "nan" elif . == "Infinity" then "7ff0000000000000"
    elif . == "-Infinity" then "fff0000000000000" elif . == 0 then "0000000000000000" else
    (if . < 0 then 2048 else 0 end) as $sign | fabs | frexp as [$m, $e] |
    (if $e + 1022 > 0 then [$e + 1022, ($m * 2 - 1) * 4503599627370496]
     else [0, $m * pow(2; $e + 1074)] end) as [$exponent, $mantissa] |
    ($sign + $exponent | hex(3)) + ($mantissa / 4294967296 | floor | hex(5)) +
    ($mantissa % 4294967296 | hex(8)) end;
def value:
    if has("string") then "string=" + (.string | quoted)
    elif has("int64") then "int64=\(.int64)"
    elif has("double") then "double=" + (.double | bits)
    elif has("bool") then "bool=\(.bool)"
    elif has("stringList") then "string_list=[" + (.stringList.values | map(quoted) | join(",")) + "]"
    else "none" end;
def members: to_entries | sort_by(.key) | map(" \(.key):\(.value | value)") | join("");
def known: ["flowDidAppear", "flowDidDisappear", "didPerformAction", "didReceiveAnalyticEvent",
    "didLoadLatestProfile", "viewPresented", "lagged"];
def event: "event \(.sequence) " + (
    [to_entries[] | select(.key as $key | known | index($key))][0] //
        {key: "(unknown kind)", value: {}} |
    .value as $it | .key as $kind | ($kind | snake) +
    if $kind == "didReceiveAnalyticEvent" then " " + $it.name + ($it.params | members)
    elif $kind == "didLoadLatestProfile" then $it.profile.customAttributes | members
    elif $kind == "didPerformAction" then " " + $it.kind
    elif $kind == "viewPresented" then " " + $it.placementId
    else "" end);
def error: if .sdk then "sdk \(.sdk.code) \(.sdk.name)"
    else "bridge \(.bridge)" + if .field == "" then "" else " " + .field end end;'

# shown FILTER <JSON: prints it as the transcript has it.
shown() { jq -r "$transcript $1"; }

say() { printf '%02d %s\n' "$1" "$2"; }

# call METHOD [JSON [SECONDS]]: it has to succeed. A busy machine is slow with lines of 64 kB.
call() { bridge_call "$1" "${2:-"{}"}" "${3:-60}" || { shown error <<<"$error"; exit 1; }; }

# failing STEP NAME METHOD …: makes a call that has to fail and prints how it did.
failing() {
    local step=$1 name=$2
    shift 2
    if bridge_call "$@"; then error='{"bridge":"NONE","field":""}'; fi
    say "$step" "$name error $(shown error <<<"$error")"
}

show_events() {
    local event
    for event in "${bridge_events[@]}"; do shown '"   " + event' <<<"$event"; done
    bridge_events=()
}

# show_flow: from the placement to a view on screen; sets $view.
show_flow() {
    call getFlow '{"placementId":"onboarding"}'
    call getFlowConfiguration "$(jq -c '{variationId: .flow.variationId}' <<<"$reply")"
    call createFlowController "$(jq -c '{configurationId}' <<<"$reply")"
    view=$(jq -r .viewId <<<"$reply")
    call present "{\"viewId\":\"$view\"}"
}

# gesture NAME [FIELDS]
gesture() { call perform "{\"viewId\":\"$view\",\"$1\":${2:-"{}"}}"; }

# send_gesture NAME FIELDS
send_gesture() { bridge_send $((++bridge_last_id)) perform "{\"viewId\":\"$view\",\"$1\":$2}" 0; }

# step GESTURE [FIELDS]: one of step 8.
step() {
    gesture "$@"
    say 8 "perform $(sed 's/[A-Z]/_\L&/g' <<<"$1")"
    show_events
}

greet_and_open() {
    say 1 "$(shown '"hello major \(.protocolMajor) max_frame \(.maxFrame)"' <<<"$reply")"
    call openDevice "{\"device\":\"conformance\",\"timeZone\":\"Asia/Kolkata\",
        \"randomSeed\":\"$big\",\"clock\":$clock}"
    say 2 "$(shown '"open_device created \(.created) time_ms \(.info.timeMs) " +
        "random_seed \(.info.randomSeed)"' <<<"$reply")"
    call subscribe '{"device":"conformance"}'
    say 3 "$(shown '"subscribe next_sequence \(.nextSequence)"' <<<"$reply")"
    failing 4 get_profile getProfile
    call activate '{"apiKey":"public_live_conformance"}'
    say 5 activate
    show_events
}

drive() {
    call getFlow '{"placementId":"onboarding"}'
    say 6 "$(shown '.flow | "get_flow \(.id) \(.name | quoted) remote configs " +
        ([.remoteConfigs[].locale] | join(" "))' <<<"$reply")"
    show_flow
    say 7 present
    show_events
    step focus '{"elementId":"name"}'
    step enterText '{"text":"Zoë 🙂"}'
    step blur
    step openPicker '{"elementId":"birthday"}'
    step pick '{"date":{"year":1960,"month":6,"day":15}}'
    step closePicker
    step tapButton '{"elementId":"next"}'
    step tapOption '{"elementId":"experience","optionId":"pro"}'
    step tapOption '{"elementId":"interests","optionId":"sports"}'
    step tapOption '{"elementId":"interests","optionId":"sports"}'
    step tapToggle '{"elementId":"reminders"}'
    step tapButton '{"elementId":"next"}'
    step tapButton '{"elementId":"done"}'
    failing 9 perform perform '{"viewId":"no-such-view","blur":{}}'
}

update_profile() {
    call updateProfile '{"firstName":"Zoë","email":"zoe@example.com","birthday":"1960-06-15",
        "customAttributes":[{"key":"experience","string":"pro"},{"key":"score","double":3.25}]}'
    say 10 "update_profile set"
    show_events
    call updateProfile '{"customAttributes":[{"key":"experience","remove":true}]}'
    say 11 "update_profile remove"
    show_events
    call inspectProfile
    say 12 "$(shown '"inspect_profile \(.firstName | quoted) \(.email | quoted) \(.birthday) " +
        "age \(.age)" + (.profile.customAttributes | members)' <<<"$reply")"
}

# The clock of the device stands, so only this side can notice that time is up.
give_up_a_call() {
    call setConditions '{"calls":[{"method":"get_flow","latencyMs":60000}]}'
    failing 13 get_flow getFlow '{"placementId":"onboarding"}' 0.2
    call ping "{\"payload\":\"$(printf 'still here' | base64)\"}"
    say 14 "ping $(shown '.payload | @base64d | quoted' <<<"$reply")"
    call setConditions '{"clear":true}'
}

# Misses three events, and gets them from the record.
come_back() {
    bridge_close
    bridge_open "conformance while away"
    call openDevice '{"device":"conformance"}'
    local number
    for number in 1 2 3; do
        call updateProfile "{\"customAttributes\":[{\"key\":\"missed\",\"double\":$number}]}"
    done
    bridge_close
    bridge_open "conformance again"
    call openDevice '{"device":"conformance"}'
    call subscribe "{\"device\":\"conformance\",\"fromSequence\":$first_missed}"
    call updateProfile '{"customAttributes":[{"key":"missed","remove":true}]}'
    say 15 reconnect
    show_events
}

# Runs in a subshell with a connection of its own, while the first one is not read from. The
# gestures are sent without waiting for their answers.
type_a_lot() {
    local number texts
    texts=("$(printf 'x%.0s' {1..32000})" "$(printf 'y%.0s' {1..32000})")
    bridge_open "conformance lag"
    call openDevice "{\"device\":\"lag\",\"clock\":$clock}"
    call activate '{"apiKey":"public_live_conformance"}'
    show_flow
    echo ready
    read -r
    for ((number = 0; number < long_inputs; number++)); do
        send_gesture focus '{"elementId":"name"}'
        send_gesture enterText "{\"text\":\"${texts[number % 2]}\"}"
        send_gesture blur {}
    done
    call ping
    bridge_close
}

lag() {
    local begin sequence missed=() seen=() kept=() event
    coproc writer { type_a_lot; }
    local pid=$writer_PID
    read -r -u "${writer[0]}"
    call subscribe '{"device":"lag"}'
    begin=$(jq -r .nextSequence <<<"$reply")
    echo go >&"${writer[1]}"
    wait "$pid"
    while [ $((${#seen[@]} + ${#missed[@]})) -lt $long_inputs ]; do
        bridge_next_event 60
        case $(jq -r 'has("lagged")' <<<"$event") in
        true) mapfile -t -O ${#missed[@]} missed < <(
            seq $(jq -r '.lagged | .fromSequence, .toSequence' <<<"$event")) ;;
        *) seen+=("$(jq -r .sequence <<<"$event")") ;;
        esac
    done
    say 16 "lagged $([ ${#missed[@]} -gt 0 ] && echo told || echo nothing)"
    local next=$begin at_end=false
    while [ "$at_end" = false ]; do
        call getEvents "{\"device\":\"lag\",\"fromSequence\":$next,\"pageSize\":8}"
        for sequence in $(jq -r '.events[].sequence' <<<"$reply"); do
            [[ " ${missed[*]} " != *" $sequence "* ]] || kept+=("$sequence")
        done
        read -r next at_end < <(jq -r '"\(.nextFromSequence) \(.atEnd)"' <<<"$reply")
    done
    local whole="not the missing ones"
    if [ "$(printf '%s\n' "${seen[@]}" "${kept[@]}" | sort -n | xargs)" = \
        "$(seq "$begin" $((begin + long_inputs - 1)) | xargs)" ]; then
        whole="nothing missing, nothing twice"
    fi
    say 17 "get_events $whole"
}

break_the_framing() {
    printf 'GET / HTTP/1.1\r\n\r\n' |
        socat -t 10 - "$(bridge_address "$(bridge_default_path)")" |
        shown '"18 broken framing id \(.id) error \(.error | error), then the end"'
}

# golden_line NAME: what a newer broker would write, else the JSON of a golden frame.
golden_line() { if [ -e "$golden/$1.line" ]; then cat "$golden/$1.line"; else cat "$golden/$1.json"; fi; }

# golden_bytes NAME: the message of a commented hex file, without its length.
golden_bytes() { sed 's/#.*//' "$golden/$1.hex" | xxd -r -p | tail -c +5; }

# is_read NAME: whether protoc reads the message and gives its bytes again; those of read/ are
# unusual.
is_read() {
    local kind=ServerFrame
    [ "${1%%/*}" != client ] || kind=ClientFrame
    golden_bytes "$1" | protoc --descriptor_set_in="$folder/set" \
        --decode=flowbridge.v1.$kind flowbridge/v1/frame.proto >"$folder/text" || return
    [ "${1%%/*}" != read ] || return 0
    protoc --descriptor_set_in="$folder/set" --deterministic_output \
        --encode=flowbridge.v1.$kind flowbridge/v1/frame.proto <"$folder/text" |
        cmp -s - <(golden_bytes "$1")
}

read_golden_frames() {
    local kind file name wrong=()
    say 19 "$(golden_line read/unknown-event-kind | shown '.event | event')"
    say 20 "$(golden_line read/unknown-fields |
        shown '"unknown fields id \(.id) ping \(.ping.payload | @base64d | quoted)"')"
    for kind in string int64 double bool string-list none; do
        say 21 "$(golden_line server/value-$kind | shown '.event | event')"
    done
    folder=$(mktemp -d)
    protoc -I proto --include_imports --descriptor_set_out="$folder/set" flowbridge/v1/frame.proto
    for file in "$golden"/*/*.hex; do
        name=${file#"$golden/"} name=${name%.hex}
        is_read "$name" || wrong+=("$name")
    done
    rm -r "$folder"
    say 22 "golden frames ${wrong[*]-all read}"
}

[ "${1:-line}" = line ] || { echo "usage: conformance.sh line" >&2; exit 2; }
bridge_open conformance
greet_and_open
drive
update_profile
give_up_a_call
come_back
lag
bridge_close
break_the_framing
read_golden_frames
