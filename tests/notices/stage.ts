import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import type { TellOperatorOptions } from '../../src/notices/place.ts'
import { placesOf } from '../../src/notices/places.ts'
import { tellOperator } from '../../src/notices/tell-operator.ts'
import type { Store } from '../../src/store/store.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { webhookSecret } from '../fixtures/receiver.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A clock that goes on when it is told to. It begins now, since a store has a clock of its own. */
export function virtualClock(start = new Date()) {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    goOn(ms: number) {
      time += ms
    },
  }
}

export type Clock = ReturnType<typeof virtualClock>

export function openFile(file = join(tempDir(), 'store.sqlite')) {
  const store = sqliteStore({ file, appId: product.appId, addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  return { file, store }
}

interface StageOptions extends Partial<TellOperatorOptions> {
  readonly store: Store
  readonly clock: Clock
  /** Where messages go. */
  readonly urls: readonly string[]
}

/** Whoever tells an operator, as a server has it, with the rounds in the test's own hand. */
export function teller({ store, clock, urls, ...options }: StageOptions) {
  const said: string[] = []
  const hooks = urls.map((url) => ({ kind: 'webhook' as const, url }))
  const secrets = [Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')]
  const telling = tellOperator({
    store,
    appId: product.appId,
    places: placesOf({ hooks, secrets, mail: undefined }, product, linkKey),
    everyMs: 1000,
    log: { warn: (message) => said.push(message), error: (message) => said.push(message) },
    now: clock.now,
    ...options,
  })
  onTestFinished(telling.stop)
  return { ...telling, said }
}

/** Goes on with the clock, a round every so often, as long as that is. */
export async function pass(
  clock: Clock,
  ms: number,
  { round }: { round(): Promise<unknown> },
  every = MINUTE,
) {
  for (let left = ms; left > 0; left -= every) {
    clock.goOn(Math.min(every, left))
    await round()
  }
}
