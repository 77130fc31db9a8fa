import { expect, it } from 'vitest'
import { waitFor } from '../../../src/announcement/waves/waiting.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** Waits a minute, and looks every half one. @returns what was found, and what was said of it. */
async function waiting(look: (times: number) => Promise<string | undefined>) {
  let elapsed = 0
  let looks = 0
  const said: (string | number)[] = []
  const found = await waitFor(
    {
      until: new Date(60_000),
      longest: 60_000,
      lookEveryMs: 30_000,
      clock: {
        now: () => new Date(elapsed),
        elapsed: () => elapsed,
        async pause(ms) {
          elapsed += ms
        },
      },
      signal: new AbortController().signal,
      on: { left: (ms) => void said.push(ms), away: (why) => void said.push(why) },
    },
    () => {
      looks += 1
      return look(looks)
    },
  )
  return { found, said, looks }
}

it('a wait goes on while the store is away, and hides no fault of ours', async () => {
  const away = await waiting(async (times) => {
    if (times === 1) throw new StoreUnavailable('away')
    return undefined
  })
  expect(away).toEqual({ found: undefined, said: [60_000, 'away', 30_000], looks: 2 })
  const fault = () => Promise.reject(new TypeError('ours'))
  await expect(waiting(fault)).rejects.toThrow(TypeError)
})

it('a wait ends with what is found', async () => {
  expect(await waiting(async () => 'found')).toMatchObject({ found: 'found', looks: 1 })
})
