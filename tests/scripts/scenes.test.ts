import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findSceneFaults } from '../../scripts/build/check-scene.ts'
import { namedWindows } from '../../scripts/scenes/look-at-scene.ts'
import { inCode } from '../../src/product/folders.mjs'
import { findSceneMistakes, scenes } from '../../src/shared/scene.ts'
import { writeExampleScene } from '../fixtures/example-scene.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

it('our scenes keep the contract, as their files tell', async () => {
  for (const scene of scenes) expect(await findSceneFaults(scene), scene).toEqual([])
  expect(globSync('*/scene.css', { cwd: inCode('src/scenes') })).toHaveLength(scenes.length)
})

it('each of ours answers a sign-up, and what moves then or after the splash is soon still', () => {
  for (const scene of ['candlesticks', 'horizon', 'mark']) {
    const style = readFileSync(inCode(`src/scenes/${scene}/scene.css`), 'utf8')
    expect(style, scene).toContain('.page:has([data-status="success"]) .backdrop')
    // How long it waits, and how long it moves.
    for (const [all, , motion = ''] of style.matchAll(/(transition|animation):([^;]*);/g)) {
      const most = all.startsWith('transition') ? 3 : 8
      for (const one of motion.replace(/\([^)]*\)/g, '').split(',')) {
        const seconds = [...one.matchAll(/(?<![\w.-])([\d.]+)s\b/g)].map(([, time]) => Number(time))
        const sum = seconds.reduce((before, time) => before + time, 0)
        expect(sum, `${scene}: ${all}`).toBeLessThan(most)
      }
    }
  }
})

it('the example in the documentation keeps it, and has no more than 75 lines of style', async () => {
  const folder = join(tempDir(), 'scene')
  expect(await findSceneFaults(writeExampleScene(folder))).toEqual([])
  expect(readFileSync(join(folder, 'scene.css'), 'utf8').split('\n').length).toBeLessThan(75)
})

it.each(['candle', 'brand', 'brand/../other', '/etc', 7])('no scene is called %s', (name) => {
  expect(findSceneMistakes(name)).toEqual([
    `scene: is "${name}", must be one of 'candlesticks', 'horizon', 'mark', 'none', or a folder like 'brand/scene'`,
  ])
})

const add = (more: string) => (text: string) => `${text}\n${more}`
const BROKEN: readonly [file: string, change: (text: string) => string, fault: RegExp][] = [
  ['scene.json', () => '{', /scene\.json: is not JSON$/],
  ['scene.json', () => '{"contract":2}', /scene\.json: contract: must be 1,/],
  ['scene.json', () => '{"contract":1,"font":"x"}', /font: is not a setting we know$/],
  ['splash.html', add('<script></script>'), /splash\.html:3: <script> may not be/],
  ['splash.html', add('<p onclick="x()"></p>'), /:3: the attribute onclick may not be/],
  ['splash.html', add('<p style="color:red"></p>'), /:3: the attribute style may not be/],
  [
    'splash.html',
    add('<img src="https://example.com/x.png" alt="">'),
    /:3: <img> can only be the logo/,
  ],
  ['splash.html', add('<b>Welcome</b>'), /:3: "Welcome" is a word; only \{name\} may be there$/],
  ['splash.html', add('<p>{name}</p>'), /says \{name\} more than once$/],
  ['splash.html', add('<div>'), /<div> is not closed$/],
  ['splash.html', add('</div>'), /:3: <\/div> closes nothing$/],
  ['splash.html', add('<p class="subscribe"></p>'), /:3: the class "subscribe" is the page's own$/],
  ['splash.html', add('<!-- hello -->'), /:3: comments reach the visitor/],
  ['splash.html', add('<i class="x"></i>'.repeat(40)), /has 42 elements, 40 fit$/],
  ['splash.html', (text) => text.replace(' data-quiet=""', ''), /has 0 elements with data-quiet/],
  ['scene.css', add('.ring {'), /scene\.css:\d+: Unclosed block$/],
  ['still.svg', (text) => text.replace('<circle', '<script/><circle'), /may only have shapes/],
  [
    'still.svg',
    (text) => text.replace('<circle', '<image href="https://example.com/x.png"/><circle'),
    /still\.svg: loads nothing, but for \{logo\}$/,
  ],
  ['still.svg', (text) => text.replace('630"', '640"'), /must have viewBox/],
  [
    'still.svg',
    (text) => text.replace('<circle', '<x:text>Hurry</x:text><circle'),
    /only have shapes/,
  ],
  [
    'still.svg',
    (text) => text.replace('<circle', '<set attributeName="r"/><circle'),
    /only have sha/,
  ],
  [
    'still.svg',
    (text) => text.replace('</svg>', ''),
    /still\.svg: is not an SVG that can be drawn$/,
  ],
]

it.each(BROKEN.map(([file, change, fault]) => ({ file, change, fault })))(
  'a scene is refused by its $file: $fault',
  async ({ file, change, fault }) => {
    const scene = writeExampleScene(join(tempDir(), 'scene'), { [file]: change })
    const faults = await findSceneFaults(scene)
    expect(faults).toEqual([expect.stringMatching(fault)])
  },
)

/** What is refused of a style, a rule a line. */
const REFUSED: readonly [rule: string, fault: RegExp][] = [
  ['@import "https://example.com/x.css";', /:\d+: @import may not be in a scene/],
  ['@font-face { }', /@font-face may not be in a scene/],
  ['.ring { background: url("https://example.com/x") }', /a scene loads nothing/],
  ['.ring { background: url("./not-there.svg?inline") }', /a scene loads nothing/],
  ['.ring::before { content: "Hurry" }', /a scene has no words$/],
  ['.ring { font-family: Papyrus }', /a scene brings no font$/],
  ['.ring { color: red !important }', /!important may not be in a scene$/],
  ['.subscribe { display: none }', /"\.subscribe" must begin with a class/],
  ['#root { opacity: 0 }', /"#root" must begin with a class/],
  ['.splash ~ div { opacity: 0 }', /"\.splash ~ div" must begin with/],
  ['.ring, body { opacity: 0 }', /"body" must begin with/],
  ['.splash { display: none }', /\.splash belongs to the gate/],
  ['.splash::before { opacity: 0 }', /"\.splash::before" must begin with/],
  ['@keyframes splash-clock { }', /the animation "splash-clock" is the page's own$/],
  ['@keyframes x { to { width: 9px } }', /width may not move, only transform/],
  ['.ring { animation: arrive 1s }', /motion must be inside of @media/],
  [
    '@media (prefers-reduced-motion: no-preference) { .ring { animation: arrive 4s 2s } }',
    /moves for 6 s, the splash has 5$/,
  ],
  [
    '@media (prefers-reduced-motion: no-preference) { .ring { animation: arrive 1s infinite } }',
    /nothing moves for ever$/,
  ],
  [
    '@media (prefers-reduced-motion: no-preference) { .ring { transition: width 1s } }',
    /only transform, translate, scale, rotate, opacity may move$/,
  ],
  ['.splash ~ #root .brand img { scale: 99 }', /must begin with a class/],
  ['.backdrop { z-index: 9 }', /the backdrop stays behind the page$/],
]

it('a scene is refused by each rule of its style', async () => {
  const rules = REFUSED.map(([rule]) => rule).join('\n')
  const scene = writeExampleScene(join(tempDir(), 'scene'), { 'scene.css': add(rules) })
  const lineOf = (fault: string) => Number(/scene\.css:(\d+)/.exec(fault)?.[1])
  const faults = await findSceneFaults(scene)
  faults.sort((one, other) => lineOf(one) - lineOf(other))
  expect(faults).toEqual(REFUSED.map(([, fault]) => expect.stringMatching(fault)))
})

it('a scene may name the parts of a grid, and order what is behind the page', async () => {
  const rule = `@property --a { syntax: "<angle>"; inherits: false; initial-value: 0deg }
    .backdrop { display: grid; grid-template-areas: "a b" } .backdrop::before { content: ""; z-index: -1 }`
  const scene = writeExampleScene(join(tempDir(), 'scene'), { 'scene.css': add(rule) })
  expect(await findSceneFaults(scene)).toEqual([])
})

it('a scene is looked at on both sides of each size that its style names', () => {
  const style =
    '@media (min-width: 40em) and (max-height: 700.4px) { } @container (width>600px) { }'
  const sizes = [639, 640, 641, 699, 700, 701]
  const both = sizes.flatMap((size) => [
    [size, 800],
    [1280, size],
  ])
  expect(namedWindows(style)).toEqual([...both, [599, 800], [600, 800], [601, 800]])
  expect(namedWindows('@media (prefers-reduced-motion: no-preference) { }')).toEqual([])
})

it('looks at a picture of a scene as at its still', async () => {
  const scene = writeExampleScene(join(tempDir(), 'scene'), {
    'scene.css': add(`.backdrop { background: url('./cover.svg?inline') }`),
  })
  const file = join(inCode('brand'), scene.replace('brand/', ''), 'cover.svg')
  for (const [content, why] of [
    ['<text>Hurry</text>', /cover\.svg: may only have shapes/],
    ['<image href="https://example.com/x.png"/>', /cover\.svg: loads nothing/],
  ] as const) {
    writeFileSync(file, `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`)
    expect(await findSceneFaults(scene)).toEqual([expect.stringMatching(why)])
  }
})

it('a scene is refused by its size', async () => {
  const folder = join(tempDir(), 'scene')
  const scene = writeExampleScene(folder)
  // Random, as nothing else stays large.
  const noise = Array.from({ length: 400 }, (_, at) => Math.sin(at).toString(36).slice(2)).join(' ')
  writeFileSync(join(folder, 'noise.svg'), `<svg xmlns="http://www.w3.org/2000/svg">${noise}</svg>`)
  const style = join(folder, 'scene.css')
  writeFileSync(
    style,
    `${readFileSync(style, 'utf8')}\n.ring { background: url("./noise.svg?inline") }`,
  )
  expect(await findSceneFaults(scene)).toEqual([
    expect.stringMatching(/has \d{4} bytes in brotli, 3000 fit$/),
  ])
})
