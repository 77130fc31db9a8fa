import { availableParallelism, cpus, totalmem } from 'node:os'

/** Lines under a head, as a table of Markdown, which reads well in a terminal too. */
export function markdownTable(head: readonly string[], lines: readonly (readonly string[])[]) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const row = (texts: readonly string[]) =>
    `| ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [row(head), row(widths.map((width) => '-'.repeat(width))), ...lines.map(row)].join('\n')
}

/** When and on what something was measured. */
export function dateAndMachine(): string {
  const date = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / 1e9)
  return `${date}, Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}, ${memory} GB`
}
