export type Environment = Readonly<Record<string, string | undefined>>

/** What was read, or one sentence for each mistake: all of them at once. */
export type Read<T> = { settings: T } | { mistakes: readonly string[] }

/** Reads variables one by one and keeps the mistakes. */
export interface Variables {
  /**
   * @param byDefault the value of a variable that is not set or empty: `PORT= npm start` and many
   *   compose files mean "not set" by an empty one.
   * @param parse gives `undefined` for an invalid value.
   * @param rule what it must be, for the sentence: `PORT: is "x", must be <rule>`.
   */
  read<T>(name: string, byDefault: string, parse: (text: string) => T | undefined, rule: string): T
  /** Keeps a mistake that is not one of a single variable. */
  mistake(sentence: string): void
  /** @param settings made of what was read; `null` only where there is a mistake. */
  result<T>(settings: T | null): Read<T>
}

export function variables(env: Environment): Variables {
  const mistakes: string[] = []
  return {
    read<T>(name: string, byDefault: string, parse: (text: string) => T | undefined, rule: string) {
      const given = env[name]?.trim()
      const value = parse(given || byDefault)
      if (value === undefined) mistakes.push(`${name}: ${is(name, given)}, must be ${rule}`)
      // Incomplete settings are never returned: `result` gives the mistakes instead.
      return value as T
    },
    mistake: (sentence) => mistakes.push(sentence),
    result: <T>(settings: T | null) =>
      mistakes.length > 0 ? { mistakes } : { settings: settings as T },
  }
}

/**
 * Secret variables, whose values are not repeated in a message: keys, addresses, URLs that hold a
 * secret, and those that may hold a secret key by mistake.
 */
const isSecret = (name: string) =>
  /KEY$|PASSPHRASE$|^SMTP_URL$|^BACKUP_RECIPIENTS$|^NOTIFY_(URL|SECRET|MAIL)$|^EVENTS_/.test(name)

function is(name: string, given: string | undefined) {
  if (!given) return 'is not set'
  return isSecret(name) ? 'is not valid' : `is "${given}"`
}
