const LEAST_LENGTH = 32

export const KEY_RULE = `at least ${LEAST_LENGTH} characters, such as "openssl rand -base64 32" prints`

/** Reads a secret from the environment. @returns `null` when it is not set, `undefined` when it is too short. */
export function parseKey(setting: string): string | null | undefined {
  if (setting === '') return null
  return setting.length >= LEAST_LENGTH ? setting : undefined
}
