import { describe, expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'

const url = 'https://app.example.com'

describe('an announcement of a page that is to be open', () => {
  it('waits until visitors see it open, says what stands in the way, and goes on if told to', async () => {
    const pad = await launchPad(2)
    expect(await pad.run(['open', url])).toMatchObject({ code: 0 })
    // The server here was never told to look at the opening, as one with another store is not.
    const PUBLIC_URL = pad.url
    const announce = ['announce', pad.launch, '--rate', '1000', '--dns-server', pad.dns.server]
    const held = await pad.run(announce, { PUBLIC_URL })
    expect(held.code).toBe(1)
    expect(held.stderr).toMatch(/PROBLEM: Page: http\S+ says Coming Soon\. .*has another list/)
    expect(held.stderr).toContain('No letter leaves until these problems are solved.')
    expect((await pad.announce()).stderr).toMatch(/PROBLEM: Page: PUBLIC_URL is not set/)
    expect(pad.inboxes()).toEqual([])

    // A test to oneself may come before.
    expect(await pad.run([...announce, '--to', 'me@example.com'], { PUBLIC_URL })).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('Page: '),
    })
    const forced = await pad.run([...announce, '--force', 'page-other-store'], { PUBLIC_URL })
    expect(forced).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Letters leave in spite of these problems.'),
    })
    expect(pad.inboxes()).toHaveLength(3)
  })
})

it('the tool refuses what contradicts itself', async () => {
  const pad = await launchPad(0)
  for (const [args, message] of [
    [[url, '--undo'], 'not both'],
    [['--at', '2099-01-12T09:00'], 'Also name the address that the button leads to'],
    [[url, '--undo', '--at', '2099-01-12T09:00'], 'cannot be used with'],
    [[url, '--at', '2099-01-12T09:00'], '--zone: is missing'],
  ] as const) {
    const { code, stderr } = await pad.run(['open', ...args])
    expect(stderr).toContain(message)
    expect(code).not.toBe(0)
  }
  expect(await pad.store.opening.get()).toBeUndefined()
})
