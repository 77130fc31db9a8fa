import { escapeHtml } from '../../shared/escape-html.ts'
import { type Catalogue, rootAttributes } from '../../words/catalogue.ts'
import type { LetterColours } from './colours.ts'
import { inlineStyles, mirrored } from './inline-styles.ts'

/** What goes into the layout; `body` and `footer` are HTML, the others plain text. */
interface LayoutContent {
  /** English, if not given. */
  readonly language?: Pick<Catalogue, 'language' | 'dir'>
  /** The language of the foot, if it is another. */
  readonly foot?: Pick<Catalogue, 'language' | 'dir'>
  readonly subject: string
  readonly preview: string
  readonly name: string
  /** The `src` of the logo; left out, there is none. */
  readonly logo?: string
  /** From 33 on it is a wordmark, which says the name by itself. 32, if not given. */
  readonly logoWidth?: number | undefined
  readonly colours: LetterColours
  readonly body: string
  readonly footer: string
}

/** The language of letters to the operator. */
const english = { language: 'en', dir: 'ltr' } as const

/** The fonts of letters. */
const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/**
 * The HTML document of a letter. It uses tables and inline styles, which all mail clients support.
 * Clients with a dark mode that honour `prefers-color-scheme` get dark colours.
 */
export function layout({
  language = english,
  foot = language,
  subject,
  preview,
  name,
  logo,
  logoWidth = 32,
  colours: { light, dark },
  body,
  footer,
}: LayoutContent): string {
  const isMirrored = language.dir === 'rtl'
  const direction = isMirrored ? ' dir="rtl"' : ''
  // `dir` is said where it is another than the letter's, also of what is read from the left.
  const ofFoot =
    foot.language === language.language ? direction : ` lang="${foot.language}" dir="${foot.dir}"`
  const toRead = (style: string) => (isMirrored ? mirrored(style) : style)
  const isWordmark = logoWidth > 32
  const darkTile = darkTileOf(light, dark, isWordmark)
  const tileClass = darkTile ? ' class="logo"' : ''
  const picture = logo
    ? `<td style="${toRead('padding:0 12px 0 0;')}"><img src="${logo}" width="${logoWidth}" height="32" alt="${isWordmark ? escapeHtml(name) : ''}"${tileClass} style="display:block;border:0;${tileOn(light, isWordmark)}"></td>\n`
    : ''
  return `<!doctype html>
<html ${rootAttributes(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${styleOf(dark, darkTile)}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${light.ground};">
<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(preview)}${'&#847;&zwnj;&nbsp;'.repeat(preview ? 60 : 0)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:${light.ground};">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:584px;">
<tr><td class="paper"${direction} style="padding:40px 48px;background:${light.paper};border:1px solid ${light.line};border-radius:12px;">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 32px;"><tr>
${picture}<td class="letter" style="${toRead(`font:600 18px/32px ${font};letter-spacing:-0.01em;color:${light.text};`)}">${logo && isWordmark ? '' : escapeHtml(name)}</td>
</tr></table>
<div class="letter" style="font:400 16px/1.6 ${font};color:${light.text};">
${inlineStyles(body, light, isMirrored)}
</div>
</td></tr>
<tr><td class="foot"${ofFoot} align="center" style="padding:24px 24px 0;font:400 13px/1.6 ${font};color:${light.quiet};">
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

type Colours = LetterColours['light']

/** The ground on which a logo stands; empty where it needs none. */
const tileOn = ({ tile }: Colours, isWordmark: boolean) =>
  tile ? `background:${tile};border-radius:6px;${isWordmark ? 'padding:0 8px;' : ''}` : ''

/** The same in the dark. Inline is the light one's, which is undone where the dark one needs none. */
function darkTileOf(light: Colours, dark: Colours, isWordmark: boolean): string {
  if (dark.tile) return tileOn(dark, isWordmark)
  return light.tile ? 'background:none !important;padding:0 !important;' : ''
}

function styleOf(dark: Colours, tile: string): string {
  return `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 600px) { .paper { padding: 32px 24px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: ${dark.ground} !important; }
  .paper { background: ${dark.paper} !important; border-color: ${dark.line} !important; }
  .letter { color: ${dark.text} !important; }
  .letter a { color: ${dark.accent} !important; }
  .letter a.button { background: ${dark.accent} !important; color: ${dark.ink} !important; }
  .letter hr, .letter blockquote, .letter th, .letter td { border-color: ${dark.line} !important; }
  .letter blockquote { color: ${dark.quiet} !important; }
  .letter code, .letter pre { background: ${dark.code} !important; }
  .foot, .foot a { color: ${dark.quiet} !important; }${tile ? `\n  .logo { ${tile} }` : ''}
}`
}
