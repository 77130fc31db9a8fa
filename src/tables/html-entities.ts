import named from './html-entities.json' with { type: 'json' }

const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,31}));/gi
const windows = new TextDecoder('windows-1252')

/**
 * Decodes the character references of HTML, once: other tools' forms escape what was typed. Of the named
 * ones, those of letters, quotes and blanks. From 128 to 159 they are of Windows-1252, as in HTML.
 */
export function withoutReferences(text: string): string {
  return text.replace(reference, (all, decimal?: string, hex?: string, name = '') => {
    if (name) return Object.hasOwn(named, name) ? named[name as keyof typeof named] : all
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    if (code >= 128 && code < 160) return windows.decode(Uint8Array.of(code))
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}
