import { describe, expect, it } from 'vitest'
import { type OpenOptions, open } from '../../../src/cli/commands/open.ts'
import { listening } from '../../fixtures/spoken.ts'
import { statusOf } from '../../fixtures/status.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const url = 'https://app.example.com'
const zone = 'Europe/Berlin'

function setUp() {
  const store = storeOnFile()
  async function run(options: Partial<OpenOptions> = {}) {
    const { out, said, result } = listening()
    expect(await open(store.opening, { product: {}, ...options }, out)).toBe(0)
    return said.join('\n') + result()
  }
  return { store, run, statusOf: (json = false) => statusOf(store, { json }) }
}

describe('open', () => {
  it('turns the page now, for good, and says where it leads', async () => {
    const { store, run, statusOf } = setUp()
    expect(await run()).toBe('coming soon\n')
    expect(await statusOf()).toMatch(/^Page +coming soon$/m)
    expect(await run({ url })).toContain(
      'The page is open, and its button leads to https://app.example.com/',
    )
    expect(await store.opening.get()).toMatchObject({ url: `${url}/`, openedAt: expect.any(Date) })
    expect(await run()).toMatch(/^open since \d{4}-\S+ \S+ .*: leads to https:\/\/app/)
    expect(await statusOf()).toMatch(/^Page +open since .*: leads to https:\/\/app/m)
    expect(JSON.parse(await statusOf(true))).toMatchObject({ opening: { page: 'open' } })
  })

  it('plans it, and shows the time in the zone of the founder and in UTC', async () => {
    const { run, statusOf } = setUp()
    const both = '2099-01-12 09:00 Europe/Berlin, which is 2099-01-12 08:00 UTC'
    expect(await run({ url, at: '2099-01-12T09:00', zone })).toContain(
      `The page opens ${both}; its button will lead to https://app.example.com/`,
    )
    expect(await run()).toBe(`coming soon, opens ${both}: will lead to https://app.example.com/\n`)
    expect(await statusOf()).toContain(`coming soon, opens ${both}`)
    expect(JSON.parse(await run({ json: true }))).toEqual({
      page: 'coming-soon',
      url: `${url}/`,
      zone,
      at: '2099-01-12T08:00:00.000Z',
    })
  })

  it('takes it back, and says what that was', async () => {
    const { run } = setUp()
    expect(await run({ undo: true })).toContain('Nothing was set')
    await run({ url, at: '2099-01-12T09:00', zone })
    expect(await run({ undo: true })).toContain('will not open by itself any more')
    await run({ url })
    expect(await run({ undo: true })).toContain('says Coming Soon again')
    expect(await run()).toBe('coming soon\n')
  })

  it.each<[string, Partial<OpenOptions>, RegExp]>([
    ['the page itself', { url, publicUrl: url }, /is this page itself/],
    ['no zone', { url, at: '2099-01-12T09:00' }, /^--zone: is missing/],
    ['no time', { url, zone }, /^--zone: means nothing without --at/],
    ['the past', { url, at: '2020-01-12T09:00', zone }, /2020-01-12 08:00 UTC, is in the past/],
  ])('refuses %s, and changes nothing', async (_, options, message) => {
    const { store, run } = setUp()
    await expect(run(options)).rejects.toThrow(message)
    expect(await store.opening.get()).toBeUndefined()
  })
})
