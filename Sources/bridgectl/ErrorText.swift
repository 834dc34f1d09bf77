import CLinux

/// The text of an errno.
func errorText(_ error: Int32) -> String { String(cString: fb_error_text(error)) }
