/** Where calls are posted. */
export const invokePath = "/ditto/invoke";
/** The header that carries the protocol's version, both ways. */
export const protocolHeader = "x-ditto-protocol";
/** 1 MiB: the longest body, in either direction, unless said otherwise. */
export const defaultMaxBodyBytes = 1_048_576;
/** How long a call or a body may take unless said otherwise. */
export const defaultTimeoutMs = 30_000;
