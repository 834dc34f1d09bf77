-- A store as version 1 wrote it: one device, two of whose events were trimmed, and one profile.
-- Never changed: newer programs have to open it.
PRAGMA application_id = 1181513538;
CREATE TABLE flowbridge_store(version INTEGER NOT NULL);
INSERT INTO flowbridge_store VALUES (1);
-- One log of events a device; trimmed is the last sequence that is gone.
CREATE TABLE logs(
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, trimmed INTEGER NOT NULL);
-- place is number * 2^40 + sequence; event is a message flowbridge.v1.Event.
CREATE TABLE events(
    place INTEGER PRIMARY KEY, kind INTEGER NOT NULL, view INTEGER NOT NULL,
    event BLOB NOT NULL);
-- The order in which logs grew, by which they are trimmed; bytes is -1 while it grows.
CREATE TABLE pieces(
    number INTEGER PRIMARY KEY, log INTEGER NOT NULL, first INTEGER NOT NULL,
    bytes INTEGER NOT NULL);
CREATE TABLE profiles(
    id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
CREATE TABLE devices(
    id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
CREATE TABLE caches(
    id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, record BLOB NOT NULL);
-- For people.
CREATE VIEW recorded_events AS
    SELECT logs.name AS device, events.place & 1099511627775 AS sequence,
        events.kind, events.view, events.event
    FROM events JOIN logs ON logs.number = events.place >> 40;
INSERT INTO logs VALUES (0, 'phone', 2);
INSERT INTO pieces VALUES (1, 0, 1, 54), (2, 0, 3, -1);
DELETE FROM pieces WHERE number = 1;
INSERT INTO events VALUES
    (3, 10, 0, CAST('three' AS BLOB)), (4, 10, -2, CAST('four' AS BLOB)),
    (5, 90, 0, CAST('five' AS BLOB));
INSERT INTO profiles VALUES ('P-1', 2, CAST('{"email":"a@b.c"}' AS BLOB));
INSERT INTO devices VALUES ('phone', 1, CAST('{"open":true}' AS BLOB));
