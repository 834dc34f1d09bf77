package example;

import flowbridge.v1.Error;

/** A call that a fault of the bridge refused. */
public class BridgeException extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Error error;

    BridgeException(String text, Error error) {
        super(text);
        this.error = error;
    }

    BridgeException(Error error) {
        this(name(error) + ": " + error.getMessage(), error);
    }

    /** A name such as WRONG_STATE; a number that this client does not know counts as INTERNAL. */
    public String code() {
        return name(error);
    }

    /** The dotted path of the field at fault, or empty. */
    public String field() {
        return error.getField();
    }

    /** Whether the same call may succeed later. */
    public boolean retryable() {
        return error.getRetryable();
    }

    static BridgeException of(Error error) {
        return error.hasSdk() ? new SdkException(error) : new BridgeException(error);
    }

    static BridgeException deadlineExceeded() {
        return new BridgeException(Error.newBuilder().setBridge(Error.Bridge.DEADLINE_EXCEEDED)
            .setMessage("no answer in time").setRetryable(true).build());
    }

    private static String name(Error error) {
        Error.Bridge bridge = error.getBridge();
        return (bridge == Error.Bridge.UNRECOGNIZED ? Error.Bridge.INTERNAL : bridge).name();
    }
}
