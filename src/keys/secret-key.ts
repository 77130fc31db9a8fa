const LEAST_LENGTH = 32

export const KEY_RULE = `at least ${LEAST_LENGTH} characters, such as "openssl rand -base64 32" prints`

/** Reads a secret of the settings. @returns `undefined` when it is too short. */
export const parseKey = (setting: string): string | undefined =>
  setting.length >= LEAST_LENGTH ? setting : undefined
