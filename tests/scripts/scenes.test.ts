import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findSceneFaults } from '../../scripts/build/check-scene.ts'
import { drawingFault, expandedElements } from '../../scripts/build/drawing.ts'
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

const moving = (animation: string) =>
  `@media (prefers-reduced-motion: no-preference) { .ring { animation: ${animation} } }`
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
  ['still.svg', (text) => `<!DOCTYPE svg [<!ENTITY t "x">]>${text}`, /may only have shapes/],
]

it.each(BROKEN.map(([file, change, fault]) => ({ file, change, fault })))(
  'a scene is refused by its $file: $fault',
  async ({ file, change, fault }) => {
    const scene = writeExampleScene(join(tempDir(), 'scene'), { [file]: change })
    const faults = await findSceneFaults(scene)
    expect(faults).toEqual([expect.stringMatching(fault)])
  },
)

const LOADS = /a scene loads nothing; a picture of its own/
const WORDS = /a scene has no words$/
const BEHIND = /the backdrop stays behind the page$/
const SHOWS = /a scene cannot undo how the page shows and hides it$/
const GATE = /\.splash belongs to the gate/
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
  ['.splash { &::before { opacity: 0 } }', /"&::before" must begin with/],
  ['@keyframes splash-clock { }', /the animation "splash-clock" is the page's own$/],
  ['.ring { background: u\\72l("https://example.com/x") }', /has no escapes/],
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
  ['.backdrop ~ .footer { display: none }', /"\.backdrop ~ \.footer" must begin/],
  ['.backdrop:not(.x) ~ footer { opacity: 0 }', /must begin with a class/],
  ['.splash ~ #root .backdrop + .footer { opacity: 0 }', /must begin with a class/],
  ['.page:has(main) .backdrop ~ footer { opacity: 0 }', /must begin with a class/],
  ['.backdrop { & + .footer { opacity: 0 } }', /must begin with a class/],
  ['.ring, .backdrop { & + .footer { opacity: 0 } }', /must begin with a class/],
  ['.splash ~ #root .brand img { scale: 99 }', /must begin with a class/],
  [moving('arrive 1s -2+3'), /"-2\+3" is no time$/],
  [moving('arrive 1.2.3s'), /"1\.2\.3s" is no time$/],
  [moving('arrive calc(1s + 60s)'), /"calc\(1s \+ 60s\)" is no time$/],
  ['.ring { background: image-set("./x.svg" 1x) }', LOADS],
  ['.ring { background: -webkit-image-set("https://example.com/x" 1x) }', LOADS],
  ['.ring { background: src("https://example.com/x") }', LOADS],
  ['.ring { background: src(var(--x)) }', LOADS],
  ['.ring { background: image("https://example.com/x") }', LOADS],
  ['.ring { background: cross-fade("https://example.com/x", red) }', LOADS],
  ['.ring { background: URL("https://example.com/x") }', LOADS],
  ['.ring { list-style: "Hurry" }', WORDS],
  ['.ring { display: list-item }', WORDS],
  ['.splash-name { text-emphasis: "H" }', WORDS],
  ['.splash-name { -webkit-text-emphasis: "H" }', WORDS],
  ['.splash-name { hyphenate-character: "" "Hurry" }', WORDS],
  ['.ring { --said: "Hurry" }', WORDS],
  ['.ring { list-style: attr(class type(<string>)) }', WORDS],
  ['.ring::before { CONTENT: counter(x) }', WORDS],
  ['.backdrop { z-index: 9; box-shadow: 0 0 0 100vmax #000 }', BEHIND],
  ['.page:has(input:focus) .backdrop { Z-Index: 0; outline: 100vmax solid #000 }', BEHIND],
  ['.backdrop { @media (width: 600px) { z-index: var(--x) } }', BEHIND],
  ['.ring, .backdrop { &:hover { z-index: auto } }', BEHIND],
  ['.backdrop { display: contents }', BEHIND],
  ['.backdrop { display: var(--x) }', BEHIND],
  ['.backdrop { all: unset }', SHOWS],
  ['.ring { visibility: visible }', SHOWS],
  ['.splash, .ring { display: none }', GATE],
  ['.splash { & { display: none } }', GATE],
  ['.splash { @media (width > 1px) { display: none } }', GATE],
  ['.ring { -webkit-animation: arrive 1s }', /motion must be inside/],
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

const svg = (content: string, more = 'viewBox="0 0 1200 630"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${more}>${content}</svg>`
/** Each level is made of ten of the one before. */
const bomb = (levels: number, one: (of: string, at: number) => string) =>
  Array.from({ length: levels }, (_, at) => one(`a${at}`, at + 1)).join('')
const ten = (content: string) => content.repeat(10)
const rect = '<rect width="9" height="9"'
const BOMBS = {
  use: `<g id="a0">${rect}/></g>${bomb(8, (of, at) => `<g id="a${at}">${ten(`<use href="#${of}"/>`)}</g>`)}`,
  pattern: bomb(
    8,
    (of, at) =>
      `<pattern id="a${at}" width="1" height="1">${ten(`${rect} fill="url(#${of})"/>`)}</pattern>`,
  ),
  mask: bomb(
    8,
    (of, at) => `<mask id="a${at}">${ten(`${rect} style="mask:url('#${of}')"/>`)}</mask>`,
  ),
  filter: `<filter id="a8">${'<feGaussianBlur/>'.repeat(800)}</filter>${ten(`${rect} filter="url(#a8)"/>`)}`,
}

it.each(Object.entries(BOMBS))('counts what a drawing uses again: %s', async (_, content) => {
  const scene = writeExampleScene(join(tempDir(), 'scene'), { 'still.svg': () => svg(content) })
  expect(await findSceneFaults(scene)).toEqual([
    expect.stringMatching(
      /still\.svg: draws .* elements, with those that it uses again; 5000 fit$/,
    ),
  ])
})

it('counts each element once that is there once, and none for ever', () => {
  expect(expandedElements(svg(`<g>${rect}/><!-- ${rect}/> --></g>`))).toBe(3)
  const circle = '<g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g>'
  expect(expandedElements(svg(circle))).toBeLessThan(20)
  expect(expandedElements(svg(`<g id="a">${rect}/></g><use href="#a"/><use href="#none"/>`))).toBe(
    7,
  )
})

it.each(['viewBox="0 0 9 900000"', 'viewBox="0,0,1e9,1"', 'width="30000" height="1"'])(
  'refuses a drawing that has no end: %s',
  async (more) => {
    expect(await drawingFault(svg(`${rect}/>`, more))).toMatch(/^is 20 times as wide as high/)
    expect(await drawingFault(svg(`${rect}/>`, 'viewBox="0 0 1e9 1e9"'))).toBeUndefined()
  },
)

it('looks at a picture of a scene as at its still: no words, and no bomb', async () => {
  const scene = writeExampleScene(join(tempDir(), 'scene'), {
    'scene.css': add(`.backdrop { background: url('./cover.svg?inline') }`),
  })
  const file = join(inCode('brand'), scene.replace('brand/', ''), 'cover.svg')
  for (const [content, why] of [
    ['<text>Hurry</text>', /cover\.svg: may only have shapes/],
    [BOMBS.use, /cover\.svg: draws over a million elements/],
    ['<image href="https://example.com/x.png"/>', /cover\.svg: loads nothing/],
  ] as const) {
    writeFileSync(file, svg(content))
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
