import { type Environment, environment } from '../product/environment.ts'
import { productFolder } from '../product/folders.mjs'
import { parsers, type SettingName, type SettingValue, settings } from './settings.ts'

/** What was read, or one sentence for each mistake: all of them at once. */
export type Read<T> = { settings: T } | { mistakes: readonly string[] }

/** Reads settings one by one, and keeps the mistakes. */
export interface Reader {
  get<N extends SettingName>(name: N): SettingValue<N>
  /** The same of one that has to be set. @param use what needs it, for the sentence if it is not. */
  need<N extends SettingName>(name: N, use?: string): NonNullable<SettingValue<N>>
  isSet(name: SettingName): boolean
  /** Keeps a mistake that is not one of a single setting. */
  mistake(sentence: string): void
}

/**
 * Reads what a program uses of the settings.
 *
 * @param use makes its value; what is wrong or missing is `undefined` there, and the value thrown away.
 * @param root the project's folder, where a relative folder begins.
 */
export function readSettings<T>(
  use: (reader: Reader) => T,
  env: Environment = environment,
  root: string = productFolder,
): Read<T> {
  const mistakes = new Set<string>()
  const textOf = (name: SettingName) => env[name]?.trim() || undefined

  function get<N extends SettingName>(name: N): SettingValue<N> {
    const given = textOf(name)
    const text = given ?? settings[name].default
    const value = text === undefined ? null : parsers[name](text, root)
    const is = settings[name].secret ? 'is not valid' : `is "${given}"`
    if (value === undefined) mistakes.add(`${name}: ${is}, ${mustBe(name)}`)
    return value as SettingValue<N>
  }

  const value = use({
    get,
    need: (name, use) => {
      const value = get(name)
      const forUse = use ? `, for ${use}` : ''
      if (value === null) mistakes.add(`${name}: is not set, ${mustBe(name)}${forUse}`)
      return value as NonNullable<typeof value>
    },
    isSet: (name) => textOf(name) !== undefined,
    mistake: (sentence) => mistakes.add(sentence),
  })
  return mistakes.size > 0 ? { mistakes: [...mistakes] } : { settings: value }
}

function mustBe(name: SettingName): string {
  const { rule, example } = settings[name]
  return `must be ${rule}${rule.includes(example) ? '' : `, such as ${example}`}`
}
