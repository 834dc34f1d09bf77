#!/usr/bin/perl
# Registers a user through the sample flow, as an app would.
#
# One program plays both parts: the app, which calls the SDK and listens to its callbacks, and the
# user's finger, which types and taps. The app keeps the last value of every input; when the flow
# has disappeared it has all that its own backend needs, and enriches the profile with it.

use v5.36;
use FindBin;
use lib $FindBin::Bin;
use Flowbridge;
use JSON::PP;
use POSIX qw(strftime tzset);

my $time_zone = 'Asia/Kolkata';

my @gestures = (
    [focus => { elementId => 'name' }, 'name'],
    [enterText => { text => 'Jane' }, 'Jane'],
    [blur => {}, ''],
    [focus => { elementId => 'email' }, 'email'],
    [enterText => { text => 'jane@example.com' }, 'jane@example.com'],
    [blur => {}, ''],
    [openPicker => { elementId => 'birthday' }, 'birthday'],
    [pick => { date => { year => 1990, month => 6, day => 15 } }, '1990-06-15'],
    [closePicker => {}, ''],
    [tapButton => { elementId => 'next' }, 'next'],
    [tapOption => { elementId => 'experience', optionId => 'pro' }, 'experience pro'],
    [tapOption => { elementId => 'interests', optionId => 'sports' }, 'interests sports'],
    [tapOption => { elementId => 'interests', optionId => 'music' }, 'interests music'],
    [tapToggle => { elementId => 'reminders' }, 'reminders'],
    [tapButton => { elementId => 'next' }, 'next'],
    [tapButton => { elementId => 'done' }, 'done'],
);

my %answers;    # the last value of every input
my $finished;
my $json = JSON::PP->new->utf8->canonical->allow_nonref;

sub say_line ($who, $what, $details = '') {
    say sprintf('%-11s %-28s %s', $who, $what, $details) =~ s/ +$//r;
}

sub title ($text) { say "\n$text\n", '-' x length $text }

sub snake ($name) { $name =~ s/([A-Z])/_\l$1/gr }

# What a Value holds; a 64-bit integer stays a string.
sub plain ($value) {
    return $value->{stringList}{values} if $value->{stringList};
    return $value->{bool} if exists $value->{bool};
    return $value->{string} // $value->{int64} // $value->{double};
}

sub shown ($value) {
    return $value->{int64} if exists $value->{int64};
    return $json->encode(plain($value)) =~ s/","/", "/gr;
}

sub answer ($params, $zone) {
    my $type = $params->{element_type}{string};
    return plain($params->{item_ids})->[0] if $type eq 'single_choice';
    return plain($params->{item_ids}) if $type eq 'multi_choice';
    return plain($params->{value}) if $type ne 'date_picker';
    # The instant at which the day begins where the user is. Turn it into a day now and in that
    # zone: read later or elsewhere, the instant is another day.
    local $ENV{TZ} = $zone;
    tzset;
    return strftime('%Y-%m-%d', localtime plain($params->{value}) / 1000);
}

# What is printed of a callback: its name and what it carries.
sub story ($kind, $content) {
    if ($kind eq 'didReceiveAnalyticEvent') {
        my ($name, $params) = @$content{qw(name params)};
        return ($name, plain($params->{instanceId})) if $name ne 'flow_user_input';
        my $value = $params->{value} // $params->{item_titles};
        return ($name, plain($params->{element_id}) . ' = ' . shown($value));
    }
    return (snake($kind), $content->{kind}) if $kind eq 'didPerformAction';
    return (snake($kind), $content->{placementId}) if $kind eq 'viewPresented';
    return (snake($kind)) if $kind ne 'didLoadLatestProfile';
    my $attributes = $content->{profile}{customAttributes};
    return (snake($kind), join ', ', map { "$_ = " . shown($attributes->{$_}) } sort keys %$attributes);
}

# Takes the callbacks that have come. Those of a call are there before its reply.
sub listen_to ($bridge) {
    for my $event ($bridge->take_events) {
        my $kind = Flowbridge::kind_of($event);
        my $content = $event->{$kind};
        say_line('  callback', story($kind, $content));
        $finished = 1 if $kind eq 'flowDidDisappear';
        if (($content->{name} // '') eq 'flow_user_input') {
            my $element = plain($content->{params}{element_id});
            $answers{$element} = answer($content->{params}, $event->{timeZone});
        }
    }
}

# Fetches the flow of the placement and puts it on screen; returns the id of its view.
sub show_flow ($bridge, $placement) {
    say_line('app', 'get_flow', $placement);
    my $flow = $bridge->call(getFlow => { placementId => $placement })->{flow};
    say_line('app', 'get_flow_configuration', "$flow->{name}, locale en");
    my $configuration = $bridge->call(
        getFlowConfiguration => { variationId => $flow->{variationId}, locale => 'en' });
    say_line('app', 'create_flow_controller');
    my $view = $bridge->call(
        createFlowController => { configurationId => $configuration->{configurationId} })->{viewId};
    say_line('app', 'present');
    $bridge->call(present => { viewId => $view });
    return $view;
}

my $bridge = Flowbridge->connect('register_user.pl');
title('A user registers');
my $device = "phone-$$-" . time;
say_line('app', 'open_device', $time_zone);
$bridge->call(openDevice => { device => $device, timeZone => $time_zone });
$bridge->call(subscribe => { device => $device });
say_line('app', 'activate');
$bridge->call(activate => { apiKey => 'public_live_sample' });
listen_to($bridge);

my $view = show_flow($bridge, 'onboarding');
listen_to($bridge);
for my $gesture (@gestures) {
    my ($name, $fields, $details) = @$gesture;
    say_line('finger', snake($name), $details);
    $bridge->call(perform => { viewId => $view, $name => $fields });
    listen_to($bridge);
}
die "the flow is still on screen: nothing is sent\n" if !$finished;

title("One request to the app's own backend");
say "POST /users\n", $json->encode(\%answers);

title('The profile, enriched');
say_line('app', 'update_profile', 'first name, email, birthday, experience');
$bridge->call(updateProfile => {
    firstName => $answers{name}, email => $answers{email}, birthday => $answers{birthday},
    customAttributes => [{ key => 'experience', string => $answers{experience} }],
});
listen_to($bridge);
