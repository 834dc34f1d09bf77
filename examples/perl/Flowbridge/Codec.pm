# Reads and writes protobuf by the tables that examples/codec/make_tables.py makes of the schema.
#
# Messages are plain hashes in the shape of line mode: lowerCamelCase names, 64-bit integers as
# strings, bytes in base64, names of enums, every field of a message that was read.

package Flowbridge::Codec;
use v5.36;
use Encode qw(decode encode);
use JSON::PP;
use MIME::Base64 qw(decode_base64 encode_base64);

use constant { VARINT => 0, FIXED64 => 1, BYTES => 2, FIXED32 => 5, DEPTH_MAX => 32 };

my %wire_type = (
    double => FIXED64, fixed32 => FIXED32,
    map { $_ => BYTES } qw(string bytes message map),
);

sub _wire ($field) { $wire_type{ $field->{type} } // VARINT }

# Reads the tables.
sub new ($class, $path) {
    open my $file, '<:raw', $path or die "$path: $!\n";
    my $self = bless decode_json(do { local $/; <$file> }), $class;
    for my $name (keys %{ $self->{messages} }) {
        $self->{by_number}{$name} = { map { $_->{number} => $_ } @{ $self->{messages}{$name} } };
    }
    for my $name (keys %{ $self->{enums} }) {
        $self->{names}{$name} = { reverse %{ $self->{enums}{$name} } };
    }
    return $self;
}

# Writing

# The 64 bits of an integer, seven at a time, the lowest first.
sub _varint ($number) {
    my $bits = $number < 0 ? unpack('Q', pack 'q', $number) : $number + 0;
    my $bytes = '';
    while ($bits > 127) {
        $bytes .= chr($bits & 127 | 128);
        $bits >>= 7;
    }
    return $bytes . chr $bits;
}

sub _counted ($bytes) { _varint(length $bytes) . $bytes }

sub _is_default ($self, $field, $value) {
    my $kind = $field->{type};
    return $value eq '' if $kind eq 'string' || $kind eq 'bytes';
    return !$value if $kind eq 'bool';
    return ($self->{enums}{ $field->{of} }{$value} // $value) eq '0' if $kind eq 'enum';
    return $value == 0;
}

sub _scalar ($self, $field, $value) {
    my $kind = $field->{type};
    return _counted(encode('UTF-8', $value)) if $kind eq 'string';
    return _counted(decode_base64($value)) if $kind eq 'bytes';
    return _varint($value ? 1 : 0) if $kind eq 'bool';
    return pack 'H*', '000000000000f87f' if $kind eq 'double' && $value eq 'NaN';
    return pack 'd<', $value if $kind eq 'double';
    return pack 'V', $value if $kind eq 'fixed32';
    return _varint($self->{enums}{ $field->{of} }{$value} // $value) if $kind eq 'enum';
    return _varint($value);
}

sub _member ($self, $field, $value) {
    my $tag = _varint($field->{number} << 3 | _wire($field));
    return $tag . _counted($value) if $field->{type} eq 'map';
    return $tag . _counted($self->encode_message($field->{of}, $value)) if $field->{type} eq 'message';
    return $tag . $self->_scalar($field, $value);
}

# One pair of a map: a message with the fields 1 and 2.
sub _entry ($self, $field, $key, $value) {
    my $bytes = $self->_is_default($field->{key}, $key) ? '' : $self->_member($field->{key}, $key);
    my $is_left_out = $field->{value}{type} ne 'message'
        && $self->_is_default($field->{value}, $value);
    return $is_left_out ? $bytes : $bytes . $self->_member($field->{value}, $value);
}

# A list; one of numbers has one tag and one length.
sub _list ($self, $field, @values) {
    return join '', map { $self->_member($field, $_) } @values if _wire($field) == BYTES;
    return '' if !@values;
    return _varint($field->{number} << 3 | BYTES)
        . _counted(join '', map { $self->_scalar($field, $_) } @values);
}

# The bytes of a message such as flowbridge.v1.ClientFrame.
sub encode_message ($self, $name, $message) {
    my $bytes = '';
    for my $field (@{ $self->{messages}{$name} }) {
        my $value = $message->{ $field->{json} } // next;
        if ($field->{type} eq 'map') {
            $bytes .= $self->_member($field, $self->_entry($field, $_, $value->{$_}))
                for sort keys %$value;
        } elsif ($field->{repeated}) {
            $bytes .= $self->_list($field, @$value);
        } elsif ($field->{oneof} || $field->{type} eq 'message'
            || !$self->_is_default($field, $value)) {
            $bytes .= $self->_member($field, $value);
        }
    }
    return $bytes;
}

# Reading. A reader is [bytes, place].

sub _at_end ($reader) { $reader->[1] >= length $reader->[0] }

sub _bytes ($reader, $length) {
    die "the message is cut off\n" if $length > length($reader->[0]) - $reader->[1];
    $reader->[1] += $length;
    return substr $reader->[0], $reader->[1] - $length, $length;
}

sub _read_varint ($reader) {
    my $bits = 0;
    for (my $shift = 0; $shift < 70; $shift += 7) {
        my $byte = ord _bytes($reader, 1);
        $bits |= ($byte & 127) << $shift if $shift < 64;
        return $bits if $byte < 128;
    }
    die "a varint has more than ten bytes\n";
}

sub _inner ($reader) { [_bytes($reader, _read_varint($reader)), 0] }

sub _skip ($reader, $wire) {
    if ($wire == VARINT) { _read_varint($reader) }
    elsif ($wire == FIXED64) { _bytes($reader, 8) }
    elsif ($wire == BYTES) { _inner($reader) }
    elsif ($wire == FIXED32) { _bytes($reader, 4) }
    else { die "wire type $wire is none of proto3\n" }
}

sub _signed ($bits) { unpack 'q', pack 'Q', $bits }

sub _int32 ($bits) { unpack 'l', pack 'L', $bits & 0xffffffff }

# As proto3's JSON has it, which knows no numbers for some.
sub _double ($bytes) {
    my $number = unpack 'd<', $bytes;
    return 'NaN' if $number != $number;
    return $number > 0 ? 'Infinity' : '-Infinity' if abs($number) == 9**9**9;
    return $number;
}

sub _default ($self, $field) {
    my $kind = $field->{type};
    return '' if $kind eq 'string' || $kind eq 'bytes';
    return JSON::PP::false if $kind eq 'bool';
    return $self->{names}{ $field->{of} }{0} if $kind eq 'enum';
    return $kind =~ /^u?int64$/ ? '0' : 0;
}

# A message without anything in it: every field that is not of a choice has its default.
sub _blank ($self, $name) {
    my %message;
    for my $field (@{ $self->{messages}{$name} }) {
        my ($json, $kind) = @$field{qw(json type)};
        if ($kind eq 'map') { $message{$json} = {} }
        elsif ($field->{repeated}) { $message{$json} = [] }
        elsif (!$field->{oneof} && $kind ne 'message') { $message{$json} = $self->_default($field) }
    }
    return \%message;
}

sub _value ($self, $reader, $field, $depth) {
    my $kind = $field->{type};
    return $self->_read(_inner($reader), $field->{of}, $depth + 1) if $kind eq 'message';
    return decode('UTF-8', _inner($reader)->[0], Encode::FB_CROAK) if $kind eq 'string';
    return encode_base64(_inner($reader)->[0], '') if $kind eq 'bytes';
    return _double(_bytes($reader, 8)) if $kind eq 'double';
    return unpack 'V', _bytes($reader, 4) if $kind eq 'fixed32';
    my $bits = _read_varint($reader);
    return $bits ? JSON::PP::true : JSON::PP::false if $kind eq 'bool';
    return '' . _signed($bits) if $kind eq 'int64';
    return "$bits" if $kind eq 'uint64';
    return $bits & 0xffffffff if $kind eq 'uint32';
    return _int32($bits) if $kind eq 'int32';
    return $self->{names}{ $field->{of} }{ _int32($bits) } // _int32($bits);    # an enum
}

sub _pair ($self, $reader, $field, $depth) {
    my %pair = (1 => $self->_default($field->{key}));
    $pair{2} = $field->{value}{type} eq 'message'
        ? $self->_blank($field->{value}{of}) : $self->_default($field->{value});
    my %fields = (1 => $field->{key}, 2 => $field->{value});
    until (_at_end($reader)) {
        my $tag = _read_varint($reader);
        if (my $known = $fields{ $tag >> 3 }) {
            $pair{ $tag >> 3 } = $self->_value($reader, $known, $depth);
        } else {
            _skip($reader, $tag & 7);
        }
    }
    return @pair{ 1, 2 };
}

sub _read ($self, $reader, $name, $depth) {
    die "messages are nested too deeply\n" if $depth > DEPTH_MAX;
    my $message = $self->_blank($name);
    until (_at_end($reader)) {
        my $tag = _read_varint($reader);
        my $field = $self->{by_number}{$name}{ $tag >> 3 };
        if (!$field) {
            _skip($reader, $tag & 7);
        } elsif ($field->{type} eq 'map') {
            my ($key, $value) = $self->_pair(_inner($reader), $field, $depth);
            $message->{ $field->{json} }{$key} = $value;
        } elsif ($field->{repeated}) {
            my $list = $message->{ $field->{json} };
            my $packed = ($tag & 7) == BYTES && _wire($field) != BYTES ? _inner($reader) : undef;
            do { push @$list, $self->_value($packed // $reader, $field, $depth) }
                until !$packed || _at_end($packed);
        } else {
            if ($field->{oneof}) {    # of the members of a choice the last one counts
                delete $message->{ $_->{json} }
                    for grep { ($_->{oneof} // '') eq $field->{oneof} } @{ $self->{messages}{$name} };
            }
            $message->{ $field->{json} } = $self->_value($reader, $field, $depth);
        }
    }
    return $message;
}

# The message in the bytes; what a newer broker added is passed over. Dies on broken bytes.
sub decode_message ($self, $name, $bytes) { $self->_read([$bytes, 0], $name, 0) }

1;
