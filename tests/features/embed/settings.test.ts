import { expect, it } from 'vitest'
import { serverSettings } from '../../../src/config/programs.ts'
import { readSettings } from '../../../src/config/read.ts'

const read = (given: string) => readSettings(serverSettings, { EMBED_ORIGINS: given })

it('take the sites of EMBED_ORIGINS as browsers write them, each once', () => {
  const given =
    ' https://blog.example.com/, https://müller.example:8443,https://blog.example.com:443,http://localhost:8080,'
  expect(read(given)).toMatchObject({
    settings: {
      ofFeatures: {
        EMBED_ORIGINS: [
          'https://blog.example.com',
          'https://xn--mller-kva.example:8443',
          'http://localhost:8080',
        ],
      },
    },
  })
})

it('say of EMBED_ORIGINS that one of them is wrong', () => {
  const wrong = [
    ...['http://blog.example.com', 'https://blog.example.com/page', 'https://*.example.com'],
    ...['blog.example.com', 'null', '*', 'https://ada@blog.example.com', 'https:\\\\a.example'],
    ...['ftp://blog.example.com', 'https://blog.example.com?a', 'https://blog.exam\tple.com'],
  ]
  for (const one of wrong) {
    const given = `https://good.example,${one}`
    expect(read(given)).toEqual({
      mistakes: [
        `EMBED_ORIGINS: is "${given}", must be origins like https://blog.example.com, with commas between them: https, no path, no *`,
      ],
    })
  }
})
