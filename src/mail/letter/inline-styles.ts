import type { LetterColours } from './colours.ts'

const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'

/** The style of each element of a letter. */
const stylesOf = ({
  line,
  quiet,
  code,
  accent,
}: LetterColours['light']): Record<string, string> => ({
  h1: 'margin:0 0 16px;font-size:28px;line-height:1.2;letter-spacing:-0.02em;font-weight:600;',
  h2: 'margin:32px 0 12px;font-size:20px;line-height:1.3;letter-spacing:-0.01em;font-weight:600;',
  h3: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600;',
  p: 'margin:0 0 16px;',
  ul: 'margin:0 0 16px;padding:0 0 0 24px;',
  ol: 'margin:0 0 16px;padding:0 0 0 24px;',
  li: 'margin:0 0 6px;',
  hr: `margin:32px 0;border:0;border-top:1px solid ${line};`,
  blockquote: `margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${line};color:${quiet};`,
  img: 'max-width:100%;height:auto;border:0;',
  code: `font:14px/1.5 ${mono};background:${code};border-radius:4px;padding:1px 4px;`,
  pre: `margin:0 0 16px;padding:12px 16px;background:${code};border-radius:8px;overflow:auto;`,
  table: 'margin:0 0 16px;border-collapse:collapse;',
  th: `padding:6px 12px 6px 0;border-bottom:1px solid ${line};text-align:left;font-weight:600;`,
  td: `padding:6px 12px 6px 0;border-bottom:1px solid ${line};`,
  a: `color:${accent};text-decoration:underline;`,
})

/**
 * Writes the style of each element into it, since many clients drop style sheets. A bold link that
 * is a paragraph of its own becomes a button.
 *
 * @param colours outside of dark mode. @param isMirrored whether it is read from right to left.
 */
export function inlineStyles(
  html: string,
  colours: LetterColours['light'],
  isMirrored = false,
): string {
  const button = `class="button" style="display:inline-block;padding:10px 20px;border-radius:8px;background:${colours.accent};color:${colours.ink};text-decoration:none;font-weight:600;"`
  const all = stylesOf(colours)
  return html
    .replace(/<p><strong><a (?=[^>]*>[^<]*<\/a><\/strong><\/p>)/g, `<p><strong><a ${button} `)
    .replace(/<([a-z][a-z0-9]*)(?=[\s>/])(?![^>]*\sstyle=)/g, (tag, name) => {
      const style = isMirrored ? mirrored(all[name] ?? '') : all[name]
      return style ? `${tag} style="${style}"` : tag
    })
}

/**
 * A style for what is read from right to left. Its sides are changed, as mail programs know no
 * logical ones, and its letters come no closer: they join.
 */
export function mirrored(style: string): string {
  return style
    .replace(/letter-spacing:[^;]+;/, '')
    .replace(/padding:(\S+) (\S+) (\S+) ([^\s;]+);/, 'padding:$1 $4 $3 $2;')
    .replace('border-left', 'border-right')
    .replace('text-align:left', 'text-align:right')
}
