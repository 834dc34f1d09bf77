import BridgeProtocol

/// The metrics of a broker, made from its status. docs/metrics.md lists them; a test compares.
struct MetricTable {
    private let status: StatusReply
    private let counters: Counters

    init(_ status: StatusReply) {
        self.status = status
        counters = status.counters ?? Counters()
    }

    /// The whole text; ends without a line end.
    var text: String { metrics.map(\.text).joined(separator: "\n") }

    /// Every metric, in a fixed order. One without samples stands with HELP and TYPE alone.
    var metrics: [Metric] { process + traffic + requests + events + storing + limits }

    private var process: [Metric] {
        [
            gauge(
                "info", "The broker and what it speaks; always 1.", "1",
                [
                    ("version", status.brokerVersion),
                    ("protocol", "\(status.protocolMajor).\(status.protocolMinor)"),
                    ("sdk", status.sdkRelease), ("durability", status.durability),
                ]),
            gauge("uptime_seconds", "Time since the start.", Self.seconds(ms: status.uptimeMs)),
            counter("wake_ups_total", "Wake-ups of the loop.", counters.wakeUps),
            gauge("devices", "Open devices.", status.devicesOpen),
        ]
    }

    private var traffic: [Metric] {
        [
            gauge("connections", "Open connections.", status.connectionsOpen),
            counter(
                "connections_accepted_total", "Connections that were let in.",
                counters.connectionsAccepted),
            counter(
                "connections_refused_total", "Connections that were not let in, by limit.",
                "reason", counters.connectionsRefused),
            counter(
                "connections_closed_total", "Connections that ended, by kind of reason.",
                "reason", counters.connectionsClosed),
            directions(
                "frames_total", "Frames, by direction.", counters.framesIn, counters.framesOut),
            directions(
                "bytes_total", "Bytes on connections, by direction.", counters.bytesIn,
                counters.bytesOut),
            gauge("queued_bytes", "Output that waits, of all connections.", status.queuedBytes),
            gauge(
                "queue_high_bytes", "The most output that waited for one connection.",
                counters.queueHighBytes),
        ]
    }

    private var requests: [Metric] {
        [
            Metric(
                name: "flowbridge_requests_total", kind: .counter, help: "Requests, by method.",
                samples: counters.methods.map {
                    Metric.Sample(labels: [("method", $0.method)], value: String($0.requests))
                }),
            Metric(
                name: "flowbridge_request_seconds_total", kind: .counter,
                help: "Time of requests, the wait of those that wait included, by method.",
                samples: counters.methods.map {
                    Metric.Sample(
                        labels: [("method", $0.method)], value: Self.seconds(ns: $0.totalNs))
                }),
            Metric(
                name: "flowbridge_errors_total", kind: .counter,
                help: "Answers that were errors, by code of the bridge or of the SDK.",
                samples: counters.errors.map {
                    Metric.Sample(
                        labels: [
                            ("space", $0.space), ("code", String($0.code)), ("name", $0.name),
                        ],
                        value: String($0.count))
                }),
            gauge(
                "pending_requests", "Requests that wait for their answers.", status.pendingRequests),
            gauge(
                "pending_high", "The most requests of one connection that waited.",
                UInt64(counters.pendingHigh)),
        ]
    }

    private var events: [Metric] {
        [
            counter("events_recorded_total", "Events recorded.", counters.eventsRecorded),
            counter(
                "events_delivered_total", "Events written to subscribers.",
                counters.eventsDelivered),
            counter(
                "events_dropped_total", "Events left out for slow readers; they stay recorded.",
                counters.eventsDropped),
            counter("lagged_total", "Times that a reader was told so.", counters.laggedTold),
            gauge("subscriptions", "Subscriptions of all connections.", status.subscriptions),
        ]
    }

    private var storing: [Metric] {
        let store = status.store ?? StoreStatus()
        return [
            gauge("store_events", "Events in the record.", store.events),
            gauge("store_event_bytes", "Bytes of the record.", store.bytes),
            counter("store_batches_total", "Batches saved.", store.batches),
            counter(
                "store_transactions_total", "Transactions that saved them.", store.transactions),
            counter("store_rows_total", "Rows written.", store.rows),
            counter("store_bytes_total", "Bytes of events and records saved.", store.bytesWritten),
            gauge("store_batches_waiting", "Batches not saved yet.", store.batchesWaiting),
            gauge("store_journal_bytes", "The write-ahead log.", store.journalBytes),
            counter("store_faults_total", "Times that nothing could be saved.", store.faults),
            gauge(
                "store_fault", "1 while nothing can be saved.", store.fault.isEmpty ? 0 : 1),
        ]
    }

    private var limits: [Metric] {
        [
            Metric(
                name: "flowbridge_limit", kind: .gauge,
                help: "Limits as they are set, in their own units (docs/limits.md).",
                samples: status.limits.map {
                    Metric.Sample(
                        labels: [("name", $0.name), ("unit", $0.unit)], value: String($0.value))
                })
        ]
    }

    // MARK: Making

    private func gauge(_ name: String, _ help: String, _ value: UInt64) -> Metric {
        gauge(name, help, String(value))
    }

    private func gauge(
        _ name: String, _ help: String, _ value: String, _ labels: [(String, String)] = []
    ) -> Metric {
        Metric(
            name: "flowbridge_" + name, kind: .gauge, help: help,
            samples: [Metric.Sample(labels: labels.map { ($0.0, $0.1) }, value: value)])
    }

    private func counter(_ name: String, _ help: String, _ value: UInt64) -> Metric {
        Metric(
            name: "flowbridge_" + name, kind: .counter, help: help,
            samples: [Metric.Sample(value: String(value))])
    }

    private func counter(
        _ name: String, _ help: String, _ label: String, _ counts: [ReasonCount]
    ) -> Metric {
        Metric(
            name: "flowbridge_" + name, kind: .counter, help: help,
            samples: counts.map {
                Metric.Sample(labels: [(label, $0.reason)], value: String($0.count))
            })
    }

    private func directions(
        _ name: String, _ help: String, _ into: UInt64, _ out: UInt64
    ) -> Metric {
        Metric(
            name: "flowbridge_" + name, kind: .counter, help: help,
            samples: [("in", into), ("out", out)].map {
                Metric.Sample(labels: [("direction", $0.0)], value: String($0.1))
            })
    }

    private static func seconds(ms: UInt64) -> String {
        fraction(ms / 1_000, ms % 1_000, digits: 3)
    }

    private static func seconds(ns: UInt64) -> String {
        fraction(ns / 1_000_000_000, ns % 1_000_000_000, digits: 9)
    }

    private static func fraction(_ whole: UInt64, _ rest: UInt64, digits: Int) -> String {
        let text = String(rest)
        return "\(whole)." + String(repeating: "0", count: digits - text.count) + text
    }
}
