# A small client of the Flowbridge broker: JSON lines over its Unix socket, or binary frames.
#
#     my $bridge = Flowbridge->connect('my program');
#     $bridge->call('subscribe');
#     my $flow = $bridge->call(getFlow => { placementId => 'onboarding' })->{flow};
#     print $_->{sequence} for $bridge->take_events;

package Flowbridge::Error;
# A refused call: `sdk` has code and name of what the SDK would have thrown, else `bridge` is a name
# such as WRONG_STATE. `message`, `field` and `retryable` are as in the protocol.
use overload '""' => sub {
    my ($error) = @_;
    my $sdk = $error->{sdk};
    return ($sdk ? "$sdk->{code} $sdk->{name}" : $error->{bridge}) . ": $error->{message}\n";
};

package Flowbridge;
use v5.36;
use IO::Select;
use IO::Socket::UNIX;
use JSON::PP;
use Socket qw(SOL_SOCKET SO_PEERCRED);
use Time::HiRes qw(time);

use constant {
    FRAME_BYTES_MAX => 1 << 20,
    PATH_BYTES_MAX => 107,    # what a socket's address holds
    GRACE => 0.1,             # a call returns at its deadline plus this, whatever the broker does
};
use constant LINE_BYTES_MAX => 4 * FRAME_BYTES_MAX;

my $json = JSON::PP->new->utf8;

# Where the broker listens: FLOWBRIDGE_SOCKET, else in XDG_RUNTIME_DIR, else in a folder of this
# user under the temporary one, which nobody else may be able to enter.
sub default_path {
    return $ENV{FLOWBRIDGE_SOCKET} if length($ENV{FLOWBRIDGE_SOCKET} // '');
    return "$ENV{XDG_RUNTIME_DIR}/flowbridge/bridge.sock" if length($ENV{XDG_RUNTIME_DIR} // '');
    my $folder = ($ENV{TMPDIR} || '/tmp') . "/flowbridge-$>";
    my ($mode, $uid) = (lstat $folder)[2, 4] or die "$folder: $!\n";
    die "$folder must be a folder of uid $> with mode 0700\n"
        if !-d _ || -l $folder || $uid != $> || $mode & 077;
    return "$folder/bridge.sock";
}

# A connected socket whose peer was checked; a leading @ means the abstract namespace.
sub open_socket ($path) {
    die "$path has @{[length $path]} bytes; a socket path has at most @{[PATH_BYTES_MAX]}\n"
        if length $path > PATH_BYTES_MAX;
    my $socket = IO::Socket::UNIX->new(Peer => $path =~ s/^@/\0/r) or die "$path: $!\n";
    my (undef, $uid) = unpack 'iII', getsockopt $socket, SOL_SOCKET, SO_PEERCRED;
    die "$path is served by uid $uid, not by $> or root\n" if $uid != $> && $uid != 0;
    return $socket;
}

# Frames as bytes: `pack` makes them of a frame, `take` removes the first whole frame of a buffer.

sub lines {
    return {
        pack => sub ($frame) { $json->encode($frame) . "\n" },
        take => sub ($buffer) {
            return $json->decode($1) if $$buffer =~ s/^([^\n]*)\n//;
            die "a line is too long\n" if length $$buffer > LINE_BYTES_MAX;
            return;
        },
    };
}

# A length of four bytes, the highest first, and a protobuf message.
sub binary ($codec) {
    return {
        pack => sub ($frame) { pack 'N/a*', $codec->encode_message('flowbridge.v1.ClientFrame', $frame) },
        take => sub ($buffer) {
            return if length $$buffer < 4;
            my $length = unpack 'N', $$buffer;
            die "a frame of $length bytes\n" if $length < 1 || $length > FRAME_BYTES_MAX;
            return if length $$buffer < 4 + $length;
            my $payload = substr $$buffer, 4, $length;
            substr($$buffer, 0, 4 + $length) = '';
            return $codec->decode_message('flowbridge.v1.ServerFrame', $payload);
        },
    };
}

# Connects and greets. Options are `path`, else the standard one, and `framing`, else lines.
sub connect ($class, $client_name, %options) {
    my $self = bless {
        framing => $options{framing} // lines(),
        socket => open_socket($options{path} // default_path()),
        buffer => '', events => [], last_id => 0,
    }, $class;
    $self->{welcome} = $self->call(hello => {
        protocolMajor => 1, protocolMinor => 1, clientName => $client_name,
        maxFrame => FRAME_BYTES_MAX,
    });
    return $self;
}

# What the broker said to the greeting.
sub welcome ($self) { $self->{welcome} }

# Sends one request and gives its reply. Dies with a Flowbridge::Error, at the latest 0.1 s after
# the time-out in seconds.
sub call ($self, $method, $fields = {}, $timeout = 10) {
    my $id = ++$self->{last_id};
    my $until = time + $timeout + GRACE;
    my $deadline = int($timeout * 1000) || 1;
    $self->_send({ id => "$id", deadlineMs => $deadline, $method => $fields });
    while (my $frame = $self->_receive($until)) {
        if ($frame->{id} ne $id) {
            $self->_sort($frame);
        } elsif (my $error = $frame->{error}) {
            die _refused($error);
        } else {
            return $frame->{ $method eq 'hello' ? 'welcome' : $method };
        }
    }
    $self->_send({ cancel => { id => "$id" } });    # without id: no answer is wanted
    die _refused({
        bridge => 'DEADLINE_EXCEEDED', field => '', retryable => JSON::PP::true,
        message => "$method had no answer within $timeout s",
    });
}

# The events that are here, in order. Those that a call has caused are here when it returns.
sub take_events ($self) { splice @{ $self->{events} } }

# The next event, or undef when none came within the seconds.
sub next_event ($self, $timeout) {
    my $until = time + $timeout;
    while (!@{ $self->{events} }) {
        my $frame = $self->_receive($until) or return;
        $self->_sort($frame);
    }
    return shift @{ $self->{events} };
}

sub close ($self) { CORE::close $self->{socket} }

my %about_the_event = map { $_ => 1 } qw(sequence device viewId timeMs timeZone subscriptionId);

# The kind of an event, such as flowDidAppear.
sub kind_of ($event) { (grep { !$about_the_event{$_} } keys %$event)[0] }

sub _refused ($error) {
    # A number here is of a newer broker.
    $error->{bridge} = 'INTERNAL' if ($error->{bridge} // '') =~ /^\d/;
    return bless $error, 'Flowbridge::Error';
}

sub _send ($self, $frame) {
    my $bytes = $self->{framing}{pack}->($frame);
    local $SIG{PIPE} = 'IGNORE';
    while (length $bytes) {
        my $count = syswrite $self->{socket}, $bytes or die "the broker is gone: $!\n";
        substr($bytes, 0, $count) = '';
    }
}

# The next frame, or undef when the time is up. Then nothing is read, also while frames come.
sub _receive ($self, $until) {
    while (1) {
        my $frame = $self->{framing}{take}->(\$self->{buffer});
        return $frame if $frame;
        my $left = $until - time;
        return if $left < 0 || !IO::Select->new($self->{socket})->can_read($left);
        sysread $self->{socket}, $self->{buffer}, 65536, length $self->{buffer}
            or die "the broker closed the connection\n";
    }
}

# Keeps an event; drops the late answer of a call that was given up.
sub _sort ($self, $frame) {
    if ($frame->{event}) {
        push @{ $self->{events} }, $frame->{event};
    } elsif ($frame->{id} eq '0' && $frame->{error}) {
        die _refused($frame->{error});    # about the connection itself
    }
}

1;
