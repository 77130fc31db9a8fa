import { type Environment, environment } from '../product/environment.ts'
import { productFolder } from '../product/folders.mjs'
import { parsers, type SettingName, type SettingValue, settings } from './settings.ts'

/** What was read, or one sentence for each mistake: all of them at once. */
export type Read<T> = { settings: T } | { mistakes: readonly string[] }

/** Reads settings one by one, and keeps the mistakes. */
export interface Reader {
  get<N extends SettingName>(name: N): SettingValue<N>
  /** Keeps a mistake if it is not set. @param use what needs it, for the sentence. */
  need<N extends SettingName>(name: N, use?: string): NonNullable<SettingValue<N>>
  isSet(name: SettingName): boolean
  /** Keeps a mistake that is not one of a single setting. */
  mistake(sentence: string): void
}

/**
 * Reads what a program uses of the settings.
 *
 * @param use makes its value. What is wrong counts as not set there, and the value is thrown away.
 * @param root the project's folder, where a relative folder begins.
 */
export function readSettings<T>(
  use: (reader: Reader) => T,
  env: Environment = environment,
  root: string = productFolder,
): Read<T> {
  const mistakes = new Set<string>()
  const textOf = (name: SettingName) => env[name]?.trim() ?? ''
  const isSet = (name: SettingName) => textOf(name) !== ''

  function get<N extends SettingName>(name: N): SettingValue<N> {
    const { default: byDefault, secret } = settings[name]
    const given = isSet(name) ? parsers[name](textOf(name), root) : undefined
    if (given === undefined && isSet(name))
      mistakes.add(`${name}: is ${secret ? 'not valid' : `"${textOf(name)}"`}, ${mustBe(name)}`)
    const otherwise = byDefault === undefined ? null : parsers[name](byDefault, root)
    return (given ?? otherwise) as SettingValue<N>
  }

  const value = use({
    get,
    need: (name, use) => {
      const value = get(name)
      const forUse = use ? `, for ${use}` : ''
      if (value === null && !isSet(name))
        mistakes.add(`${name}: is not set, ${mustBe(name)}${forUse}`)
      return value as NonNullable<typeof value>
    },
    isSet,
    mistake: (sentence) => mistakes.add(sentence),
  })
  return mistakes.size > 0 ? { mistakes: [...mistakes] } : { settings: value }
}

function mustBe(name: SettingName): string {
  const { rule, example } = settings[name]
  return `must be ${rule}${rule.includes(example) ? '' : `, such as ${example}`}`
}
