/**
 * Loaded into a command before its own code: it takes today for another day. For back-ups, whose rule
 * counts days and weeks, in a week that takes an hour.
 */
const shift = Number(process.env.SOAK_SHIFT_MS ?? 0)
const Today = Date

globalThis.Date = new Proxy(Today, {
  construct: (_date, given) =>
    given.length > 0 ? Reflect.construct(Today, given) : new Today(Today.now() + shift),
  get: (date, name) => (name === 'now' ? () => date.now() + shift : Reflect.get(date, name)),
})
