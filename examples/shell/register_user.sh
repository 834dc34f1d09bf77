#!/usr/bin/env bash
# Registers a user through the sample flow, as an app would.
#
# One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
# user's finger, which types and taps. The app keeps the last value of every input; when the flow
# has disappeared it has all that its own backend needs, and enriches the profile with it.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/flowbridge.sh"

time_zone=Asia/Kolkata
answers={}
finished=no

title() { printf '\n%s\n%s\n' "$1" "${1//?/-}"; }

say() {
    local line
    printf -v line '%-11s %-28s %s' "$1" "$2" "${3:-}"
    echo "${line%"${line##*[! ]}"}"
}

call() { bridge_call "$@" || { jq -r .message <<<"$error" >&2; exit 1; }; }

# What is printed of a callback: its name and what it carries.
story='
def snake: gsub("(?<c>[A-Z])"; "_" + (.c | ascii_downcase));
def plain: .stringList.values // .string // .int64 // (if has("bool") then .bool else .double end);
def shown: if has("int64") then .int64 elif .stringList then
    "[" + (.stringList.values | map(tojson) | join(", ")) + "]" else plain | tojson end;
del(.sequence, .device, .viewId, .timeMs, .timeZone, .subscriptionId) | to_entries[0] |
.key as $kind | .value |
if $kind == "didReceiveAnalyticEvent" then [.name,
    (if .name == "flow_user_input"
     then "\(.params.element_id | plain) = \(.params.value // .params.item_titles | shown)"
     else (.params.instanceId | plain) end)]
elif $kind == "didLoadLatestProfile" then [$kind,
    (.profile.customAttributes | to_entries | map("\(.key) = \(.value | shown)") | join(", "))]
else [$kind, (.placementId // .kind // "")] end | .[0] |= snake | @tsv'

# What an input gives: its element, and its value as the backend wants it. A date comes as the
# instant at which the day begins where the user is; it is marked, to be turned into a day.
input='
select(.didReceiveAnalyticEvent.name == "flow_user_input") | .didReceiveAnalyticEvent.params |
{(.element_id.string):
    (.element_type.string as $type |
     if $type == "single_choice" then .item_ids.stringList.values[0]
     elif $type == "multi_choice" then .item_ids.stringList.values
     elif $type == "date_picker" then {ms: .value.int64}
     elif .value.bool != null then .value.bool
     else .value.string end)}'

hear() {
    local what details entered milliseconds day
    IFS=$'\t' read -r what details < <(jq -r "$story" <<<"$1")
    say "  callback" "$what" "$details"
    [ "$what" != flow_did_disappear ] || finished=yes
    entered=$(jq -c "$input" <<<"$1")
    [ -n "$entered" ] || return 0
    milliseconds=$(jq -r '.[] | objects.ms' <<<"$entered")
    if [ -n "$milliseconds" ]; then # now and in that zone: read elsewhere, it is another day
        day=$(TZ=$(jq -r .timeZone <<<"$1") date -d "@$((milliseconds / 1000))" +%F)
        entered=$(jq -c --arg day "$day" 'map_values($day)' <<<"$entered")
    fi
    answers=$(jq -c --argjson entered "$entered" '. + $entered' <<<"$answers")
}

# Takes the callbacks that have come. Those of a call are there before its reply.
listen() {
    local event
    for event in "${bridge_events[@]}"; do hear "$event"; done
    bridge_events=()
}

# finger GESTURE [FIELDS [WHAT IS PRINTED]]
finger() {
    local names
    names=$(sed 's/[A-Z]/_\L&/g' <<<"$1")
    say finger "$names" "${3:-}"
    call perform "{\"viewId\":\"$view\",\"$1\":${2:-"{}"}}"
    listen
}

bridge_open register_user.sh
title "A user registers"
device=phone-$$
say app open_device $time_zone
call openDevice "{\"device\":\"$device\",\"timeZone\":\"$time_zone\"}"
call subscribe "{\"device\":\"$device\"}"
say app activate
call activate '{"apiKey":"public_live_sample"}'
listen

say app get_flow onboarding
call getFlow '{"placementId":"onboarding"}'
say app get_flow_configuration "$(jq -r .flow.name <<<"$reply"), locale en"
call getFlowConfiguration "$(jq -c '{variationId: .flow.variationId, locale: "en"}' <<<"$reply")"
say app create_flow_controller
call createFlowController "$(jq -c '{configurationId}' <<<"$reply")"
view=$(jq -r .viewId <<<"$reply")
say app present
call present "{\"viewId\":\"$view\"}"
listen

finger focus '{"elementId":"name"}' name
finger enterText '{"text":"Jane"}' Jane
finger blur
finger focus '{"elementId":"email"}' email
finger enterText '{"text":"jane@example.com"}' jane@example.com
finger blur
finger openPicker '{"elementId":"birthday"}' birthday
finger pick '{"date":{"year":1990,"month":6,"day":15}}' 1990-06-15
finger closePicker
finger tapButton '{"elementId":"next"}' next
finger tapOption '{"elementId":"experience","optionId":"pro"}' "experience pro"
finger tapOption '{"elementId":"interests","optionId":"sports"}' "interests sports"
finger tapOption '{"elementId":"interests","optionId":"music"}' "interests music"
finger tapToggle '{"elementId":"reminders"}' reminders
finger tapButton '{"elementId":"next"}' next
finger tapButton '{"elementId":"done"}' done
[ $finished = yes ] || { echo "the flow is still on screen: nothing is sent" >&2; exit 1; }

title "One request to the app's own backend"
echo "POST /users"
jq -cS . <<<"$answers"

title "The profile, enriched"
say app update_profile "first name, email, birthday, experience"
call updateProfile "$(jq -c '{firstName: .name, email, birthday,
    customAttributes: [{key: "experience", string: .experience}]}' <<<"$answers")"
listen
bridge_close
