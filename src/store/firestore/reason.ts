/** gRPC's codes for what is no fault here. */
export const grpc = {
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  failedPrecondition: 9,
}

/** What gRPC's codes mean to an operator. The library's own words quote what was written or asked. */
const reasons: Readonly<Record<number, string>> = {
  3: 'it calls what we ask for invalid',
  4: 'it took too long',
  5: 'the project has no such database',
  7: 'the credentials may not read and write this database',
  8: 'a quota is used up',
  10: 'others were changing the same at the same time',
  14: 'it cannot be reached',
  16: 'the credentials are not accepted',
}

/** Why Firestore could not be used, in words for a log: never with an address. */
export function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: unknown; message?: unknown }
  if (code === grpc.failedPrecondition && /requires an index/.test(String(message)))
    return 'an index is missing or not ready yet: deploy firestore.indexes.json, and wait some minutes'
  if (typeof code === 'number') return reasons[code] ?? `it failed with gRPC's code ${code}`
  // Credentials that are missing or broken say what is wrong with them.
  const text = String(message ?? cause)
  return text.includes('@') ? 'the library failed' : text.replace(/[.\s]+$/, '')
}
