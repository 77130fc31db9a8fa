/** What a visitor's browser can be set to. */
export interface TabSettings {
  readonly script: boolean
  readonly motion: boolean
  /** Of Firefox alone: off, as its "block all cookies" has it. */
  readonly cookies: boolean
}

/** Keys that are no character, by their names on the keyboard. */
export type Key = 'Tab' | 'Enter' | 'Space' | 'End'

/** One window of a browser of any engine: as little as the promises of the page need. */
export interface Tab {
  /** Asks for a page, and may return before it has come. */
  open(url: string): Promise<void>
  /**
   * Runs a function in the page. It may use nothing from around it, and nothing that comes later:
   * where script is turned off, no promise is ever kept.
   *
   * @returns its result, through JSON.
   */
  evaluate<Args extends unknown[], Result>(
    look: (...args: Args) => Result,
    ...args: Args
  ): Promise<Result>
  press(key: Key): Promise<void>
  type(text: string): Promise<void>
  /** Goes on in the window that was opened last. */
  follow(): Promise<void>
  /** A picture of the window as a PNG. */
  screenshot(): Promise<Buffer>
  /** Warnings and errors of the console so far. */
  complaints(): readonly string[]
  /** Ends the browser, with all that was started for it. */
  close(): Promise<void>
}

/** The source of what calls a function and gives its result as text, which every protocol can carry. */
export function asText(look: (...args: never[]) => unknown, args: readonly unknown[]): string {
  const text = `JSON.stringify((${look})(...${JSON.stringify(args)})) ?? 'null'`
  return `(() => { if (!document.documentElement) throw new Error('${BETWEEN}'); return ${text} })()`
}

const BETWEEN = 'no page is here yet'
/** What the engines say where a page went before it had answered. */
const WENT = /unload event|destroyed|AbortError/

/** Looks at a page, for a condition that is waited for: between two pages there is nothing to see. */
export async function glance<Args extends unknown[], Result>(
  tab: Pick<Tab, 'evaluate'>,
  look: (...args: Args) => Result,
  ...args: Args
): Promise<Partial<Result>> {
  return tab.evaluate(look, ...args).catch((cause: Error) => {
    if (cause.message.includes(BETWEEN) || WENT.test(cause.message)) return {}
    throw cause
  })
}

/** What WebDriver calls the keys. */
const CODES: Readonly<Record<Key, string>> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Space: ' ',
  End: '\uE010',
}

/** A key pressed, or a text typed, as both of WebDriver's protocols take it. */
export function strokes(what: { readonly key: Key } | { readonly text: string }) {
  const values = 'key' in what ? [CODES[what.key]] : [...what.text]
  const actions = values.flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  return [{ type: 'key', id: 'keyboard', actions }]
}
