package example;

import flowbridge.v1.Error;

/** What the SDK itself would have thrown. */
public final class SdkException extends BridgeException {
    private static final long serialVersionUID = 1;
    private final int number;
    private final String name;

    SdkException(Error error) {
        super(error.getSdk().getCode() + " " + error.getSdk().getName() + ": " + error.getMessage(),
            error);
        number = error.getSdk().getCode();
        name = error.getSdk().getName();
    }

    /** The SDK's number, such as 2002. */
    public int number() {
        return number;
    }

    /** The SDK's name of it, such as notActivated. */
    public String name() {
        return name;
    }
}
