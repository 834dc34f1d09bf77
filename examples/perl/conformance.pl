#!/usr/bin/perl
# Goes through the steps of docs/conformance.md and prints the transcript.
#
#     FLOWBRIDGE_SOCKET=… perl conformance.pl binary|line

use v5.36;
use utf8;
use Encode qw(encode);
use FindBin;
use lib $FindBin::Bin;
use Flowbridge;
use Flowbridge::Codec;
use JSON::PP;
use MIME::Base64 qw(decode_base64 encode_base64);

my $mode = shift // 'line';
my $folder = $ENV{FLOWBRIDGE_GOLDEN} // 'proto/golden';
my $big = '9007199254740993';    # 2^53 + 1, which no double holds
my $clock = { kind => 'MANUAL', startMs => '1767225600000' };    # 1 January 2026
my ($first_missed, $long_inputs, $long_bytes) = (18, 24, 32_000);
my $codec = Flowbridge::Codec->new($ENV{FLOWBRIDGE_TABLES} // '.build/clients/tables.json');
my $framing = $mode eq 'binary' ? Flowbridge::binary($codec) : Flowbridge::lines();
my $json = JSON::PP->new->utf8->canonical;

my @gestures = (
    [focus => { elementId => 'name' }],
    [enterText => { text => 'Zoë 🙂' }],
    [blur => {}],
    [openPicker => { elementId => 'birthday' }],
    [pick => { date => { year => 1960, month => 6, day => 15 } }],
    [closePicker => {}],
    [tapButton => { elementId => 'next' }],
    [tapOption => { elementId => 'experience', optionId => 'pro' }],
    [tapOption => { elementId => 'interests', optionId => 'sports' }],
    [tapOption => { elementId => 'interests', optionId => 'sports' }],
    [tapToggle => { elementId => 'reminders' }],
    [tapButton => { elementId => 'next' }],
    [tapButton => { elementId => 'done' }],
);

# What a line of the transcript looks like

sub snake ($name) { $name =~ s/([A-Z])/_\l$1/gr }

sub quoted ($text) {
    return '"' . encode('UTF-8', $text) =~ s/([^\x20-\x7e]|["%\\])/sprintf '%%%02X', ord $1/ger . '"';
}

sub double_bits ($value) {
    return $value eq 'NaN' ? 'nan' : unpack 'H*', pack 'd>', $value;
}

sub value_text ($value) {
    return 'string=' . quoted($value->{string}) if exists $value->{string};
    return "int64=$value->{int64}" if exists $value->{int64};
    return 'double=' . double_bits($value->{double}) if exists $value->{double};
    return 'bool=' . ($value->{bool} ? 'true' : 'false') if exists $value->{bool};
    return 'none' if !$value->{stringList};
    return 'string_list=[' . join(',', map { quoted($_) } @{ $value->{stringList}{values} }) . ']';
}

# A map of values, ordered by the bytes of the names.
sub members ($values) { join '', map { " $_:" . value_text($values->{$_}) } sort keys %$values }

my %known = map { $_->{json} => 1 } @{ $codec->{messages}{'flowbridge.v1.Event'} };

sub event_text ($event) {
    my $kind = Flowbridge::kind_of($event) // '';
    my $line = "event $event->{sequence} " . ($known{$kind} ? snake($kind) : '(unknown kind)');
    my $content = $event->{$kind};
    return "$line $content->{name}" . members($content->{params})
        if $kind eq 'didReceiveAnalyticEvent';
    return $line . members($content->{profile}{customAttributes})
        if $kind eq 'didLoadLatestProfile';
    return "$line $content->{kind}" if $kind eq 'didPerformAction';
    return "$line $content->{placementId}" if $kind eq 'viewPresented';
    return $line;
}

sub step ($number, $text) { printf "%02d %s\n", $number, $text }

sub show_events ($bridge) { say '   ', event_text($_) for $bridge->take_events }

sub error_text ($error) {
    my $sdk = $error->{sdk};
    return $sdk ? "sdk $sdk->{code} $sdk->{name}" : "bridge $error->{bridge} $error->{field}" =~ s/ $//r;
}

# Makes a call that has to fail and tells how it did.
sub failing ($bridge, @call) {
    return 'no error' if eval { $bridge->call(@call); 1 };
    return ref $@ ? error_text($@) : die $@;
}

# The requests of the steps

sub connected ($name) { Flowbridge->connect($name, framing => $framing) }

sub show_flow ($bridge) {
    my $flow = $bridge->call(getFlow => { placementId => 'onboarding' })->{flow};
    my $configuration = $bridge->call(
        getFlowConfiguration => { variationId => $flow->{variationId} });
    my $view = $bridge->call(
        createFlowController => { configurationId => $configuration->{configurationId} })->{viewId};
    $bridge->call(present => { viewId => $view });
    return $view;
}

sub perform ($bridge, $view, $name, $fields) {
    $bridge->call(perform => { viewId => $view, $name => $fields });
}

sub update ($bridge, @attributes) {
    $bridge->call(updateProfile => { customAttributes => \@attributes });
}

# The steps

sub greet_and_open ($bridge) {
    my $welcome = $bridge->welcome;
    step(1, "hello major $welcome->{protocolMajor} max_frame $welcome->{maxFrame}");
    my $opened = $bridge->call(openDevice => {
        device => 'conformance', timeZone => 'Asia/Kolkata', randomSeed => $big, clock => $clock });
    my $created = $opened->{created} ? 'true' : 'false';
    step(2, "open_device created $created time_ms $opened->{info}{timeMs} "
        . "random_seed $opened->{info}{randomSeed}");
    my $reply = $bridge->call(subscribe => { device => 'conformance' });
    step(3, "subscribe next_sequence $reply->{nextSequence}");
    step(4, 'get_profile error ' . failing($bridge, 'getProfile'));
    $bridge->call(activate => { apiKey => 'public_live_conformance' });
    step(5, 'activate');
    show_events($bridge);
}

sub drive ($bridge) {
    my $flow = $bridge->call(getFlow => { placementId => 'onboarding' })->{flow};
    my $locales = join ' ', map { $_->{locale} } @{ $flow->{remoteConfigs} };
    step(6, "get_flow $flow->{id} @{[quoted($flow->{name})]} remote configs $locales");
    my $view = show_flow($bridge);
    step(7, 'present');
    show_events($bridge);
    for my $gesture (@gestures) {
        perform($bridge, $view, @$gesture);
        step(8, 'perform ' . snake($gesture->[0]));
        show_events($bridge);
    }
    my $missing = { viewId => 'no-such-view', blur => {} };
    step(9, 'perform error ' . failing($bridge, perform => $missing));
}

sub update_profile ($bridge) {
    $bridge->call(updateProfile => {
        firstName => 'Zoë', email => 'zoe@example.com', birthday => '1960-06-15',
        customAttributes => [
            { key => 'experience', string => 'pro' }, { key => 'score', double => 3.25 }],
    });
    step(10, 'update_profile set');
    show_events($bridge);
    update($bridge, { key => 'experience', remove => JSON::PP::true });
    step(11, 'update_profile remove');
    show_events($bridge);
    my $seen = $bridge->call('inspectProfile');
    step(12, join ' ', 'inspect_profile', quoted($seen->{firstName}), quoted($seen->{email}),
        $seen->{birthday}, "age $seen->{age}" . members($seen->{profile}{customAttributes}));
}

# The clock of the device stands, so only this side can notice that time is up.
sub give_up_a_call ($bridge) {
    $bridge->call(setConditions => { calls => [{ method => 'get_flow', latencyMs => 60_000 }] });
    step(13, 'get_flow error '
        . failing($bridge, getFlow => { placementId => 'onboarding' }, 0.2));
    my $echo = $bridge->call(ping => { payload => encode_base64('still here', '') });
    step(14, 'ping ' . quoted(decode_base64($echo->{payload})));
    $bridge->call(setConditions => { clear => JSON::PP::true });
}

# Misses three events, and gets them from the record.
sub come_back ($bridge) {
    $bridge->close;
    my $other = connected('conformance while away');
    $other->call(openDevice => { device => 'conformance' });
    update($other, { key => 'missed', double => $_ }) for 1 .. 3;
    $other->close;
    $bridge = connected('conformance again');
    $bridge->call(openDevice => { device => 'conformance' });
    $bridge->call(subscribe => { device => 'conformance', fromSequence => $first_missed });
    update($bridge, { key => 'missed', remove => JSON::PP::true });
    step(15, 'reconnect');
    show_events($bridge);
    return $bridge;
}

# Types so much that a connection that does not read is told that it lags.
sub type_a_lot ($reader) {
    my $writer = connected('conformance lag');
    $writer->call(openDevice => { device => 'lag', clock => $clock });
    $writer->call(activate => { apiKey => 'public_live_conformance' });
    my $view = show_flow($writer);
    my $begin = $reader->call(subscribe => { device => 'lag' })->{nextSequence};
    for my $number (1 .. $long_inputs) {
        my $letter = $number % 2 ? 'x' : 'y';    # what is there already would be no input
        perform($writer, $view, focus => { elementId => 'name' });
        perform($writer, $view, enterText => { text => $letter x $long_bytes });
        perform($writer, $view, blur => {});
    }
    $writer->close;
    return $begin;
}

sub lag ($reader) {
    my $begin = type_a_lot($reader);
    my (@seen, %missed);
    while (@seen + keys %missed < $long_inputs) {
        my $event = $reader->next_event(10) // die "no more events\n";
        if (my $lagged = $event->{lagged}) {
            $missed{$_} = 1 for $lagged->{fromSequence} .. $lagged->{toSequence};
        } else {
            push @seen, $event->{sequence};
        }
    }
    step(16, 'lagged ' . (%missed ? 'told' : 'nothing'));
    push @seen, grep { $missed{$_} } recorded($reader, $begin);
    my $whole = join(' ', sort { $a <=> $b } @seen)
        eq join(' ', $begin .. $begin + $long_inputs - 1);
    step(17, 'get_events ' . ($whole ? 'nothing missing, nothing twice' : 'not the missing ones'));
}

# The sequences of the record, page by page.
sub recorded ($bridge, $begin) {
    my @found;
    while (1) {
        my $page = $bridge->call(
            getEvents => { device => 'lag', fromSequence => $begin, pageSize => 8 });
        push @found, map { $_->{sequence} } @{ $page->{events} };
        return @found if $page->{atEnd};
        $begin = $page->{nextFromSequence};
    }
}

# A length of 0, or a line that is no JSON object: answered, then closed.
sub break_the_framing {
    my $socket = Flowbridge::open_socket(Flowbridge::default_path());
    syswrite $socket, $mode eq 'binary' ? "\0" x 4 : "GET / HTTP/1.1\r\n\r\n";
    my $received = do { local $/; <$socket> };
    my $answer = $framing->{take}->(\$received);
    step(18, "broken framing id $answer->{id} error @{[error_text($answer->{error})]}, then the end");
}

# The golden frames

sub read_file ($name) {
    open my $file, '<:raw', "$folder/$name" or die "$name: $!\n";
    local $/;
    return <$file>;
}

# The message of a commented hex file, without its length.
sub payload ($name) { substr pack('H*', read_file("$name.hex") =~ s/#.*|\s//gr), 4 }

# A golden frame in this run's mode; .line is what a newer broker would write.
sub golden ($name) {
    return $codec->decode_message('flowbridge.v1.ServerFrame', payload($name))
        if $mode eq 'binary';
    return $json->decode(read_file(-e "$folder/$name.line" ? "$name.line" : "$name.json"));
}

# Whether the bytes give exactly the JSON, and the JSON the bytes; those of read/ are unusual.
sub is_read ($name) {
    my $kind = 'flowbridge.v1.' . ($name =~ /^client/ ? 'Client' : 'Server') . 'Frame';
    my $expected = $json->decode(read_file("$name.json"));
    my $decoded = $codec->decode_message($kind, payload($name));
    return $json->encode($decoded) eq $json->encode($expected)
        && ($name =~ /^read/ || $codec->encode_message($kind, $expected) eq payload($name));
}

sub read_golden_frames {
    step(19, event_text(golden('read/unknown-event-kind')->{event}));
    my $fields = golden('read/unknown-fields');
    step(20, "unknown fields id $fields->{id} ping @{[quoted(decode_base64($fields->{ping}{payload}))]}");
    step(21, event_text(golden("server/value-$_")->{event}))
        for qw(string int64 double bool string-list none);
    my @names = map { s/^\Q$folder\E\/|\.hex$//gr } glob "$folder/*/*.hex";
    my @wrong = grep { !is_read($_) } @names;
    step(22, 'golden frames ' . (@wrong || !@names ? "@wrong" : 'all read'));
}

my $bridge = connected('conformance');
greet_and_open($bridge);
drive($bridge);
update_profile($bridge);
give_up_a_call($bridge);
$bridge = come_back($bridge);
lag($bridge);
$bridge->close;
break_the_framing();
read_golden_frames();
