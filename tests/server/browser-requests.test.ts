import { expect, it, onTestFinished, vi } from 'vitest'
import { takeInBrowserRequests } from '../../src/server/browser-requests.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'

it('a fault in taking requests in is logged by its kind alone, an outage not, and both are tried again', async () => {
  const faults = [new TypeError('of ada@example.com'), new StoreUnavailable('away')]
  const takeIn = vi.fn(async () => {
    const fault = faults.shift()
    if (fault) throw fault
    return false
  })
  const warn = vi.fn()
  const shown = { words: 'Notify me', page: 'of the server', language: 'en' }
  const pages = { page: shown, openPage: shown }
  const taking = takeInBrowserRequests({ takeIn }, pages, { url: () => undefined }, { warn }, 1)
  onTestFinished(() => taking.close())
  await expect.poll(() => takeIn.mock.calls.length).toBeGreaterThan(2)
  expect(warn.mock.calls).toEqual([['Requests of browsers cannot be taken in: TypeError']])
})
