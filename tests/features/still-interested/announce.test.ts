/** @module-tag thorough */
import { copyFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { person } from '../../store/contracts/people.ts'

async function asking(count: number) {
  const pad = await launchPad(count)
  const letter = join(dirname(pad.launch), 'december.md')
  copyFileSync(pad.launch, letter)
  const ask = (...args: string[]) =>
    pad.run([
      ...['announce', letter, '--still-interested', '--rate', '1000'],
      ...['--dns-server', pad.dns.server, '--dkim-selector', 'k1', ...args],
    ])
  return { ...pad, letter, ask }
}

it('asks those who have heard nothing for sixty days, by a button that only a press counts for', async () => {
  const pad = await asking(3)
  await pad.store.list.add('new@example.com')
  const { stdout, stderr } = await pad.ask('--dry-run')
  expect(stdout).toBe([1, 2, 3].map((i) => `${person(i).email}\n`).join(''))
  expect(stderr).toMatch(/^Left out: 1 heard from you in the last 60 days, or answered$/m)
  // A question need not wait for the opening.
  expect(stderr).not.toMatch(/Page: /)
  expect((await pad.ask('--dry-run', '--all')).stderr).toMatch(
    /^Confirming: \S+\/still-interested works$/m,
  )

  expect((await pad.ask()).stdout).toContain('The balance holds: 4 = 3 sent + 1 left out\n')
  const asked = pad.relay.accepted.find(({ to }) => to === person(2).email)
  const said = asked?.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=') ?? ''
  const [, path = ''] = /(\/still-interested\/[\w-]{44})/.exec(said) ?? []
  const found = async () => (await pad.run(['find', person(2).email])).stdout
  expect((await fetch(pad.url + path)).status).toBe(200)
  expect(await found()).not.toContain('Still interested')
  expect((await fetch(pad.url + path, { method: 'POST' })).status).toBe(200)
  expect(await found()).toMatch(/^\d{4}-\S+ \S+ +Still interested$/m)
  expect(await found()).toMatch(/Letter “still-interested-december” was sent/)

  // Who signs up meanwhile has just heard from us, and is no newcomer to ask.
  await pad.store.list.add('newer@example.com')
  const more = await pad.ask()
  expect(more.stdout).toContain('The balance holds: 4 = 3 sent + 1 left out\n')
  expect(more.stdout).not.toContain('since this began')

  // Without the option, the same file is not told to everybody as news.
  const forgot = await pad.run(['announce', pad.letter, '--dns-server', pad.dns.server])
  expect(forgot.code).toBe(1)
  expect(forgot.stderr).toContain('"december" was sent as a letter that asks')
  expect(pad.relay.accepted).toHaveLength(3)

  // They have heard from us: now nobody is silent, and a second question goes to nobody.
  expect(JSON.parse((await pad.run(['status', '--json'])).stdout).notes).not.toContainEqual(
    expect.objectContaining({ code: 'silence' }),
  )
  const again = join(dirname(pad.launch), 'still-interested-again.md')
  renameSync(pad.letter, again)
  const second = await pad.run([
    ...['announce', again, '--still-interested', '--dry-run', '--dns-server', pad.dns.server],
    ...['--dkim-selector', 'k1'],
  ])
  expect(second.stderr).toMatch(/^To send +0 {2}of 5 people\nLeft out +5$/m)

  // It was no news, so it is no reason to be left out of the letter that is.
  const launch = await pad.announce('--dry-run', '--dkim-selector', 'k1')
  expect(launch.stderr).toMatch(/^To send +5 {2}of 5 people$/m)
})

it('needs the option for a letter of that name, and a page beside the one that unsubscribes', async () => {
  const pad = await asking(1)
  const named = join(dirname(pad.launch), 'still-interested.md')
  copyFileSync(pad.launch, named)
  const plain = await pad.run(['announce', named, '--dry-run'])
  expect(plain).toMatchObject({ code: 1, stdout: '' })
  expect(plain.stderr).toContain('What begins with "question" or "still-interested" is taken')
  const elsewhere = await pad.run(['announce', named, '--still-interested', '--dry-run'], {
    UNSUBSCRIBE_URL: 'https://example.org/u',
  })
  expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
  expect(elsewhere.stderr).toMatch(/^UNSUBSCRIBE_URL: must end in \/unsubscribe /)
  const preview = await pad.run(['announce', named, '--still-interested', '--preview'])
  expect(preview.stdout).toContain('>Yes, keep me posted</a>')
})
