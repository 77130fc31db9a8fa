export type Environment = Readonly<Record<string, string | undefined>>

/** What was read, or one sentence for each mistake: all of them at once. */
export type Read<T> = { settings: T } | { mistakes: readonly string[] }

/** Reads variables one by one and keeps the mistakes. */
export interface Variables {
  /**
   * @param byDefault what stands for a variable that is not set or empty: an empty one is what
   *   `PORT= npm start` and many a compose file mean by "not set".
   * @param parse gives `undefined` for what the variable must not be.
   * @param rule what it must be, for the sentence: `PORT: is "x", must be <rule>`.
   */
  read<T>(name: string, byDefault: string, parse: (text: string) => T | undefined, rule: string): T
  /** Keeps a mistake that is not one of a single variable. */
  mistake(sentence: string): void
  /** @param settings made of what was read. */
  result<T>(settings: T): Read<T>
}

export function variables(env: Environment): Variables {
  const mistakes: string[] = []
  return {
    read<T>(name: string, byDefault: string, parse: (text: string) => T | undefined, rule: string) {
      const given = env[name]?.trim()
      const value = parse(given || byDefault)
      if (value === undefined) mistakes.push(`${name}: ${is(name, given)}, must be ${rule}`)
      // Nobody gets to see what was not read: `result` gives the mistakes instead.
      return value as T
    },
    mistake: (sentence) => mistakes.push(sentence),
    result: (settings) => (mistakes.length > 0 ? { mistakes } : { settings }),
  }
}

/**
 * Keys, addresses and the URLs that are or hold a secret are not repeated where others may read them;
 * nor what may be a secret key by mistake.
 */
const isSecret = (name: string) =>
  /KEY$|PASSPHRASE$|^SMTP_URL$|^BACKUP_RECIPIENTS$|^NOTIFY_(URL|SECRET|MAIL)$/.test(name)

function is(name: string, given: string | undefined) {
  if (!given) return 'is not set'
  return isSecret(name) ? 'is set' : `is "${given}"`
}
