import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import postcss, { type AtRule, type Declaration, type Rule } from 'postcss'
import { inCode } from '../../src/product/folders.mjs'
import type { SceneName } from '../../src/shared/scene.ts'
import { undrawable } from './resvg.ts'
import { readSceneFile, SCENE_FILES, sceneFolder } from './scene.ts'

/** The limits of a scene: docs/scenes.md. Bytes are those of all that reaches the page, in brotli. */
const CONTRACT = 1
const MOST_BYTES = 3000
const MOST_ELEMENTS = 40
/** Nothing on the splash moves for longer than that: its length, in seconds. */
const LENGTH = 5

const ATTRIBUTES =
  /^(class|data-quiet|aria-hidden|viewBox|preserveAspectRatio|d|cx|cy|r|rx|ry|x|y|x1|x2|y1|y2|width|height|points|transform|pathLength|fill|stroke|stroke-width|stroke-linecap|stroke-linejoin|opacity)$/
const SHAPES = ['path', 'circle', 'ellipse', 'rect', 'line', 'polygon', 'polyline']
const TAGS = ['div', 'p', 'span', 'i', 'b', 'img', 'svg', 'g', ...SHAPES]
const MOVING = ['transform', 'translate', 'scale', 'rotate', 'opacity']
/** Its look is the gate's: src/web/gate.css. */
const NAME = 'splash-name'
const AT_RULES = ['media', 'supports', 'container', 'keyframes', 'property']

/**
 * Checks that a scene keeps the contract, as far as its files show: `npm run check-scene` looks at it
 * in a browser. Against mistakes: a founder could break their page in many other ways.
 *
 * @returns one sentence for each mistake, with file and line.
 */
export async function findSceneFaults(name: SceneName): Promise<string[]> {
  const folder = sceneFolder(name)
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return [`scene: there is no folder ${name}: docs/scenes.md`]
  const read = (file: keyof typeof SCENE_FILES) => readSceneFile(folder, file)
  for (const file of ['about', 'style'] as const)
    if (!existsSync(join(folder, SCENE_FILES[file])))
      return [`${name}/${SCENE_FILES[file]}: is missing`]
  const about = aboutFaults(read('about'))
  if (about) return [`${name}/${SCENE_FILES.about}: ${about}`]
  const [splash, style, still] = [read('splash'), read('style'), read('still')]
  const at = (file: keyof typeof SCENE_FILES) => (fault: Fault) =>
    `${name}/${SCENE_FILES[file]}:${fault.line}: ${fault.what}`
  const page = pageStyle()
  const faults = [
    ...splashFaults(splash).map(at('splash')),
    ...takenClasses(splash, page).map(at('splash')),
    ...styleFaults(style, { folder, page, classes: classesIn(splash) }).map(at('style')),
  ]
  if (splash && !still) faults.push(`${name}/${SCENE_FILES.still}: is missing`)
  if (still) {
    const what = await stillFault(still)
    if (what) faults.push(`${name}/${SCENE_FILES.still}: ${what}`)
  }
  for (const file of picturesIn(style).filter((one) => existsSync(join(folder, one)))) {
    const svg = readFileSync(join(folder, file), 'utf8')
    const what = shapesFault(svg) ?? (await undrawable(svg))
    if (what) faults.push(`${name}/${file}: ${what}`)
  }
  const bytes = sceneBytes(folder)
  if (bytes > MOST_BYTES) faults.push(`${name}: has ${bytes} bytes in brotli, ${MOST_BYTES} fit`)
  return faults
}

/** How many bytes of a page a scene is, in brotli. */
export function sceneBytes(folder: string): number {
  const style = withPictures(readSceneFile(folder, 'style'), folder)
  return brotliCompressSync(readSceneFile(folder, 'splash') + style).length
}

interface Fault {
  readonly line: number
  readonly what: string
}

function aboutFaults(json: string): string | undefined {
  let about: unknown
  try {
    about = JSON.parse(json)
  } catch {
    return 'is not JSON'
  }
  const { contract, logo, ...others } = Object(about) as Record<string, unknown>
  if (contract !== CONTRACT)
    return `contract: must be ${CONTRACT}, the version that this page keeps`
  if (logo !== undefined && logo !== 'opens') return `logo: is "${logo}", can only be "opens"`
  const [unknown] = Object.keys(others)
  return unknown && `${unknown}: is not a setting we know`
}

/** Elements, attributes and words of the splash. It is written into the page as it stands. */
function splashFaults(html: string): Fault[] {
  const faults: Fault[] = []
  const open: string[] = []
  let elements = 0
  let names = 0
  let quiet = 0
  let from = 0
  const token =
    /<!--[\s\S]*?-->|<\/([a-z]+)>|<([a-z]+)((?:\s+[\w-]+="[^"<>]*")*)\s*(\/?)>|[^<]+|</gi
  for (const [text, closing, opening, attributes = '', slash] of html.matchAll(token)) {
    const line = html.slice(0, from).split('\n').length
    const fault = (what: string) => faults.push({ line, what })
    from += text.length
    if (text.startsWith('<!--')) fault('comments reach the visitor; write them into scene.css')
    else if (closing) {
      if (open.pop() !== closing) fault(`</${closing}> closes nothing`)
    } else if (opening) {
      elements += 1
      if (!TAGS.includes(opening))
        fault(`<${opening}> may not be in a scene; there are ${TAGS.join(', ')}`)
      for (const [, name = '', value = ''] of attributes.matchAll(/([\w-]+)="([^"]*)"/g)) {
        if (name === 'data-quiet') quiet += 1
        // Said below.
        if (opening === 'img' && name === 'src') continue
        if (opening === 'img' && name === 'alt' && value === '') continue
        if (!ATTRIBUTES.test(name)) fault(`the attribute ${name} may not be in a scene`)
        else if (/url\(|:\/\//i.test(value)) fault(`${name}: a scene loads nothing`)
      }
      if (opening === 'img' && !/\ssrc="\{logo\}"/.test(attributes))
        fault('<img> can only be the logo: src="{logo}" alt=""')
      const isShape = SHAPES.includes(opening)
      if (isShape !== (slash === '/')) fault(`<${opening}> must end in ${isShape ? '/>' : '>'}`)
      else if (!isShape && opening !== 'img') open.push(opening)
    } else if (text === '<') fault('is not HTML as a scene may have it: <p class="…">')
    else if (text.trim() === '{name}') names += 1
    else if (text.trim()) fault(`"${text.trim().slice(0, 30)}" is a word; only {name} may be there`)
  }
  const end = html.split('\n').length
  if (open.length > 0) faults.push({ line: end, what: `<${open.at(-1)}> is not closed` })
  if (elements > MOST_ELEMENTS)
    faults.push({ line: end, what: `has ${elements} elements, ${MOST_ELEMENTS} fit` })
  if (names > 1) faults.push({ line: end, what: 'says {name} more than once' })
  if (html.trim() && quiet !== 1)
    faults.push({
      line: end,
      what: `has ${quiet} elements with data-quiet="", needs one: after its first animation the page's script loads`,
    })
  return faults
}

const classesIn = (html: string) =>
  [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/))

/** A class of the page's own would give its style to the scene, and the scene's to the page. */
function takenClasses(html: string, page: string): Fault[] {
  const taken = new Set(page.match(/(?<=\.)[a-z][\w-]*/g))
  return html.split('\n').flatMap((text, index) =>
    classesIn(text)
      .filter((name) => name !== NAME && taken.has(name))
      .map((name) => ({ line: index + 1, what: `the class "${name}" is the page's own` })),
  )
}

const pageStyle = () =>
  globSync(inCode('src/web/*.css'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

interface Around {
  readonly folder: string
  /** The page's own style. */
  readonly page: string
  /** Those of the scene's markup. */
  readonly classes: readonly string[]
}

function styleFaults(css: string, { folder, page, classes }: Around): Fault[] {
  const faults: Fault[] = []
  const taken = new Set(page.match(/(?<=@keyframes )[\w-]+/g))
  let root: postcss.Root
  try {
    root = postcss.parse(css)
  } catch (error) {
    const { line = 1, reason = 'cannot be read' } = error as { line?: number; reason?: string }
    return [{ line, what: reason }]
  }
  const fault = (node: Declaration | Rule | AtRule, what: string) =>
    faults.push({ line: node.source?.start?.line ?? 1, what })
  root.walkAtRules((rule) => {
    if (!AT_RULES.includes(rule.name))
      fault(rule, `@${rule.name} may not be in a scene: it loads nothing and brings no font`)
    // The later one counts, and the clock of the gate is one of them.
    if (rule.name === 'keyframes' && taken.has(rule.params))
      fault(rule, `the animation "${rule.params}" is the page's own`)
  })
  root.walkRules((rule) => {
    if (isKeyframe(rule) || isNested(rule)) return
    const wrong = rule.selectors.find((one) => !isOurs(one, classes))
    if (wrong)
      fault(
        rule,
        `"${wrong}" must begin with a class of the scene's own, .splash, .backdrop or .page:has(…) .backdrop`,
      )
  })
  root.walkDecls((declaration) => {
    const { prop, value, important } = declaration
    const parent = declaration.parent as Rule
    const targets = parent.selectors ?? []
    if (important) fault(declaration, '!important may not be in a scene')
    if (/\burl\(/i.test(withoutOwnPictures(value, folder)))
      fault(
        declaration,
        'a scene loads nothing; a picture of its own is url("./name.svg?inline") from its folder',
      )
    else if (prop === 'content' && !/^(""|''|none)$/.test(value))
      fault(declaration, 'content can only be "": a scene has no words')
    if (prop === 'z-index' && targets.some(isOfPage) && !/^-\d+$/.test(value))
      fault(declaration, 'z-index: the backdrop stays behind the page')
    if (/^font(-family)?$/.test(prop)) fault(declaration, 'a scene brings no font')
    if (/\binfinite\b/i.test(value) && /^animation/.test(prop))
      fault(declaration, 'nothing moves for ever')
    if (isKeyframe(parent) && !MOVING.includes(prop) && prop !== 'animation-timing-function')
      fault(declaration, `${prop} may not move, only ${MOVING.join(', ')} may`)
    if (/^transition(-property)?$/.test(prop) && transitions(value).some((one) => !moves(one)))
      fault(declaration, `only ${MOVING.join(', ')} may move`)
    if (/^(animation|transition)/.test(prop) && !isWithMotion(declaration))
      fault(declaration, 'motion must be inside of @media (prefers-reduced-motion: no-preference)')
    if (targets.includes('.splash') && !prop.startsWith('--'))
      fault(
        declaration,
        '.splash belongs to the gate; a scene may only set its own --variables on it',
      )
    if (prop === 'animation' && parent.selector?.startsWith('.splash ~ #root') === false)
      for (const length of lengths(value))
        if (length > LENGTH) fault(declaration, `moves for ${length} s, the splash has ${LENGTH}`)
  })
  return faults
}

const isKeyframe = (rule: Rule) =>
  rule.parent?.type === 'atrule' && (rule.parent as AtRule).name === 'keyframes'

const isNested = ({ parent }: Rule) => {
  let node: postcss.Node | undefined = parent
  while (node?.type === 'atrule') node = node.parent
  return node?.type === 'rule'
}

const isOfPage = (selector: string) =>
  /^(?:\.splash ~ #root \.backdrop|\.page:has\([^)]*\)+ \.backdrop|\.backdrop)(?![\w-])/.test(
    selector,
  )

/** Nothing of the page but its backdrop, and no part of the gate. */
function isOurs(selector: string, classes: readonly string[]): boolean {
  if (isOfPage(selector) || selector === '.splash') return true
  const [, name = ''] = /^(?:\.splash >? ?)?\.([\w-]+)/.exec(selector) ?? []
  return [...classes, NAME].includes(name)
}

const withoutOwnPictures = (value: string, folder: string) =>
  value.replace(/url\((["']?)\.\/([\w-]+\.svg)\?inline\1\)/g, (all, _, file: string) =>
    existsSync(join(folder, file)) ? '' : all,
  )

const transitions = (value: string) =>
  value
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((one) => one.trim().split(/\s+/)[0] ?? '')
const moves = (one: string) => one === 'none' || one.startsWith('--') || MOVING.includes(one)

function isWithMotion(declaration: Declaration): boolean {
  for (let node = declaration.parent; node; node = node.parent as typeof node) {
    const { name, params } = node as unknown as AtRule
    if (name === 'keyframes') return true
    if (name === 'media' && /prefers-reduced-motion:\s*no-preference/.test(params)) return true
  }
  return false
}

/** Of each animation of a shorthand, how many seconds after its beginning it ends; what is known of it. */
function lengths(value: string): number[] {
  return value
    .replace(/\([^)]*\)/g, '')
    .split(',')
    .map((one) => {
      const times = [...one.matchAll(/(?<![\w.-])([\d.]+)(m?s)\b/gi)]
      return times.reduce(
        (sum, [, time, unit]) => sum + Number(time) / (/^ms$/i.test(unit ?? '') ? 1000 : 1),
        0,
      )
    })
}

/** The style with its pictures in it, as visitors get it, but for spaces and comments. */
function withPictures(css: string, folder: string): string {
  const pictures = picturesIn(css)
    .map((file) => join(folder, file))
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, ' ')
  return bare + pictures.join('')
}

const picturesIn = (css: string) =>
  [...css.matchAll(/url\(["']?\.\/([\w-]+\.svg)\?inline["']?\)/g)].map(([, file = '']) => file)

/** Names of SVG's elements may have a prefix. What moves by itself would never end. */
const NO_SHAPES =
  /<(?:[\w-]+:)?(script|foreignObject|text|tspan|style|a|animate\w*|set)\b|\son\w+\s*=|<!(?!--)/i

function shapesFault(svg: string): string | undefined {
  if (NO_SHAPES.test(svg)) return 'may only have shapes: no words, style, links, motion or script'
  if (/(?:href|url)\s*[=(]\s*["']?(?!#|\{logo\})[^"')\s]/i.test(svg))
    return 'loads nothing, but for {logo}'
  return undefined
}

async function stillFault(svg: string): Promise<string | undefined> {
  const wrong = shapesFault(svg)
  if (wrong) return wrong
  if (!/^\s*(<!--[\s\S]*?-->\s*)*<svg\b[^>]*\sviewBox="0 0 1200 630"/.test(svg))
    return 'must have viewBox="0 0 1200 630"'
  const bare = svg.replace(/\{logo\}/g, '').replace(/\{\w+\}/g, '#000000')
  return undrawable(bare)
}
