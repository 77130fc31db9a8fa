import { describe, expect, it } from 'vitest'
import { checkLetter } from '../../src/checks/letter.ts'
import { parseLetter } from '../../src/mail/letter/letter.ts'
import { findingSaid } from '../fixtures/finding-said.ts'

function letterOf(text: string) {
  const read = parseLetter(`---\nsubject: Ready\nfrom: a@example.org\n---\n${text}\n`)
  if ('mistakes' in read) throw new Error(read.mistakes.join())
  return read.letter
}

const product = { name: 'M' } as Parameters<typeof checkLetter>[1]

async function details(text: string) {
  const found = await checkLetter(letterOf(text), product, async () => true)
  return found.map((one) => findingSaid(one).detail)
}

describe('the check of an invitation', () => {
  it.each([
    '[in](https://app.example.com/join?code={{invitation}})',
    'https://app.example.com/#code={{invitation}}',
    'Type this: {{invitation}}',
    'No invitation, [in](http://app.example.com)',
  ])('finds nothing in %j', async (text) => {
    expect(await details(text)).toEqual([])
  })

  it.each<[string, RegExp]>([
    [
      '![p](https://app.example.com/p.png?{{invitation}}) {{invitation}}',
      /^the picture "https:\/\/app\.example\.com\/p\.png\?\{\{invitation\}\}" has the code in its/,
    ],
    [
      '[in](http://app.example.com/join?code={{invitation}})',
      /^the link "http:\/\/app\.example\.com\/join\?code=\{\{invitation\}\}" would carry the code/,
    ],
    ['[in](https://{{invitation}}.example.com/)', /in the name of its server/],
    ['[in](https://{{invitation}}@example.com/)', /in the name of its server/],
    ['[in](mailto:join@example.com?body={{invitation}})', /in the open/],
    ['[in](HTTP://app.example.com/{{invitation}})', /in the open/],
    ['<!-- {{invitation}} --> words', /is where readers cannot see it/],
    ['<b title="{{invitation}}">words</b>', /is where readers cannot see it/],
  ])('finds a problem in %j', async (text, problem) => {
    expect(await details(text)).toEqual([expect.stringMatching(problem)])
  })

  it('asks nobody for a picture that has a code in its address', async () => {
    const asked: string[] = []
    const isPicture = async (url: string) => asked.push(url) > 0
    const text =
      '![p](https://a.example/{{invitation}}.png) ![q](https://a.example/q.png) {{invitation}}'
    const found = await checkLetter(letterOf(text), product, isPicture)
    expect(asked).toEqual(['https://a.example/q.png'])
    expect(found).toMatchObject([{ code: 'letter-code-in-picture', verdict: 'problem' }])
  })
})
