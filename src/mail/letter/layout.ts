import { inkOn, readableOn } from '../../shared/colour.ts'
import { escapeHtml } from '../../shared/escape-html.ts'

/** What a letter stands on, light and dark. */
const PAPER = '#ffffff'
const DARK_PAPER = '#101216'

/** What goes into the layout; `body` and `footer` are HTML, the others plain text. */
interface LayoutContent {
  readonly subject: string
  readonly preview: string
  readonly name: string
  readonly logo: string
  /** The product's, see `accentOf`. */
  readonly accent: string
  readonly body: string
  readonly footer: string
}

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace'

/**
 * The page around a letter. Tables and inline styles, because that is what mail clients agree on;
 * who shows dark pages gets a dark one, where the client lets us say so.
 */
export function layout({
  subject,
  preview,
  name,
  logo,
  accent,
  body,
  footer,
}: LayoutContent): string {
  const onDark = readableOn(DARK_PAPER, accent)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 600px) { .paper { padding: 32px 24px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: #08090b !important; }
  .paper { background: ${DARK_PAPER} !important; border-color: #262a31 !important; }
  .letter { color: #f4f5f7 !important; }
  .letter a { color: ${onDark} !important; }
  .letter a.button { background: ${onDark} !important; color: ${inkOn(onDark)} !important; }
  .letter hr, .letter blockquote, .letter th, .letter td { border-color: #262a31 !important; }
  .letter blockquote { color: #a9b0bb !important; }
  .letter code, .letter pre { background: #1b1f25 !important; }
  .foot, .foot a { color: #a9b0bb !important; }
}
</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f2f3f5;">
<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(preview)}${'&#847;&zwnj;&nbsp;'.repeat(preview ? 60 : 0)}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background:#f2f3f5;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:584px;">
<tr><td class="paper" style="padding:40px 48px;background:#ffffff;border:1px solid #e3e5e9;border-radius:12px;">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 32px;"><tr>
<td style="padding:0 12px 0 0;"><img src="${logo}" width="32" height="32" alt="" style="display:block;border:0;"></td>
<td class="letter" style="font:600 18px/32px ${font};letter-spacing:-0.01em;color:#0f1216;">${escapeHtml(name)}</td>
</tr></table>
<div class="letter" style="font:400 16px/1.6 ${font};color:#0f1216;">
${inlineStyles(body, accent)}
</div>
</td></tr>
<tr><td class="foot" align="center" style="padding:24px 24px 0;font:400 13px/1.6 ${font};color:#5b636f;">
${footer}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const line = '#e3e5e9'
const styles: Record<string, string> = {
  h1: 'margin:0 0 16px;font-size:28px;line-height:1.2;letter-spacing:-0.02em;font-weight:600;',
  h2: 'margin:32px 0 12px;font-size:20px;line-height:1.3;letter-spacing:-0.01em;font-weight:600;',
  h3: 'margin:24px 0 8px;font-size:16px;line-height:1.4;font-weight:600;',
  p: 'margin:0 0 16px;',
  ul: 'margin:0 0 16px;padding:0 0 0 24px;',
  ol: 'margin:0 0 16px;padding:0 0 0 24px;',
  li: 'margin:0 0 6px;',
  hr: `margin:32px 0;border:0;border-top:1px solid ${line};`,
  blockquote: `margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid ${line};color:#5b636f;`,
  img: 'max-width:100%;height:auto;border:0;',
  code: `font:14px/1.5 ${mono};background:#f2f3f5;border-radius:4px;padding:1px 4px;`,
  pre: 'margin:0 0 16px;padding:12px 16px;background:#f2f3f5;border-radius:8px;overflow:auto;',
  table: 'margin:0 0 16px;border-collapse:collapse;',
  th: `padding:6px 12px 6px 0;border-bottom:1px solid ${line};text-align:left;font-weight:600;`,
  td: `padding:6px 12px 6px 0;border-bottom:1px solid ${line};`,
}

/**
 * Gives each element of a letter its looks, since many clients drop a style sheet. A bold link that
 * is a paragraph of its own is a button.
 */
function inlineStyles(html: string, accent: string): string {
  const onPaper = readableOn(PAPER, accent)
  const button = `class="button" style="display:inline-block;padding:10px 20px;border-radius:8px;background:${onPaper};color:${inkOn(onPaper)};text-decoration:none;font-weight:600;"`
  const all: Record<string, string> = {
    ...styles,
    a: `color:${onPaper};text-decoration:underline;`,
  }
  return html
    .replace(/<p><strong><a (?=[^>]*>[^<]*<\/a><\/strong><\/p>)/g, `<p><strong><a ${button} `)
    .replace(/<([a-z][a-z0-9]*)(?=[\s>/])(?![^>]*\sstyle=)/g, (tag, name) =>
      all[name] ? `${tag} style="${all[name]}"` : tag,
    )
}
