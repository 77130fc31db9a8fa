import outageReasons from './outage-reasons.json' with { type: 'json' }

/*
 * An outage: Google, the network or the project's set-up refuses, and the operator or time can
 * change that. Every other error is a fault of ours and must not look like an outage.
 */

/** gRPC's codes that the store itself expects. */
export const grpc = {
  notFound: 5,
  alreadyExists: 6,
  failedPrecondition: 9,
  aborted: 10,
}

/**
 * gRPC's status codes that are outages, in words for the operator: the library's own words quote
 * data. Meanings are those of https://grpc.io/docs/guides/status-codes and of Firestore's error
 * codes, https://cloud.google.com/firestore/docs/understand-error-codes. Left out are
 * INVALID_ARGUMENT (3), ALREADY_EXISTS (6) and OUT_OF_RANGE (11), which our requests would cause.
 */
const reasons: Readonly<Record<number, string>> = outageReasons

/** @returns why Firestore could not be used, for a log: never with an address; `undefined` for a fault. */
export function outageReason(cause: unknown): string | undefined {
  const { code, message } = cause as { code?: unknown; message?: unknown }
  if (typeof code !== 'number') return undefined
  if (code === grpc.failedPrecondition && /requires an index/.test(String(message)))
    return 'an index is missing or not ready yet: deploy firestore.indexes.json, and wait some minutes'
  return reasons[code]
}

/** Why there are no credentials or no project, in the words of Google's library. */
export function credentialsReason(cause: unknown): string {
  const text = String((cause as { message?: unknown }).message ?? cause)
  if (text.startsWith('Unable to detect a Project Id'))
    return 'the credentials name no project; set GOOGLE_CLOUD_PROJECT'
  return text.includes('@') ? 'the credentials cannot be used' : text.replace(/[.\s]+$/, '')
}
