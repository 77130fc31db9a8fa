/** @module-tag thorough */
import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { person } from '../../store/contracts/people.ts'

it('asks those without an answer, and takes one from the page behind their own letter', async () => {
  const pad = await launchPad(4, { question: { ask: 'Your postcode?', kind: 'postcode' } })
  await pad.store.replies.keep(person(1).email, '80331')
  const letter = join(dirname(pad.launch), 'where.md')
  copyFileSync(pad.launch, letter)
  const rest = ['--rate', '1000', '--dns-server', pad.dns.server, '--dkim-selector', 'k1']
  const ask = (...args: string[]) => pad.run(['announce', letter, ...rest, ...args])

  const dry = await ask('--ask', '--dry-run')
  expect(dry.stdout).toBe([2, 3, 4].map((i) => `${person(i).email}\n`).join(''))
  expect(dry.stderr).toMatch(/^Left out: 1 answered already$/m)
  expect((await ask('--ask', '--dry-run', '--all')).stderr).toMatch(
    /^Confirming: \S+\/answer works$/m,
  )
  expect(dry.stderr).toMatch(/^To send +3 {2}of 4 people\nLeft out +1$/m)

  const sent = await ask('--ask')
  expect(sent).toMatchObject({ code: 0 })
  const said = (pad.relay.accepted.find(({ to }) => to === person(2).email)?.raw ?? '')
    .replace(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
  expect(said).toContain('Your postcode?')
  const [, path = ''] = /(\/answer\/[\w-]{44})/.exec(said) ?? []
  expect(sent.stdout + sent.stderr).not.toContain(path)
  const found = async () => (await pad.run(['find', person(2).email])).stdout
  expect((await fetch(pad.url + path)).status).toBe(200)
  expect(await found()).not.toContain('Answered')
  const answered = await fetch(pad.url + path, {
    method: 'POST',
    body: new URLSearchParams({ said: '10115' }),
  })
  expect(answered.status).toBe(200)
  expect(await found()).toMatch(/^Answered +10115$/m)
  expect(await found()).toMatch(/Letter “question-where” was sent/)

  // The same again asks nobody twice, and without the option it is not sent as news.
  expect((await ask('--ask', '--include-new')).stdout).toContain(
    'The balance holds: 4 = 3 sent + 1 left out\n',
  )
  expect(pad.relay.accepted).toHaveLength(3)
  const forgot = await ask()
  expect(forgot.code).toBe(1)
  expect(forgot.stderr).toContain('To go on with it: ')
  // A question is no news.
  const news = await pad.announce('--dry-run', '--dkim-selector', 'k1')
  expect(news.stderr).toMatch(/^To send +4 {2}of 4 people$/m)
})

it('needs a question to ask', async () => {
  const pad = await launchPad(1)
  const { code, stderr } = await pad.run(['announce', pad.launch, '--ask', '--dry-run'])
  expect(code).toBe(1)
  expect(stderr).toBe('--ask: product.config.ts has no question: see docs/question.md.\n')
})
