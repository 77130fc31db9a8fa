/** Has no types of its own. */
declare module 'fontverter' {
  /** @param font in any format. @param format TrueType, or one for a browser. */
  export function convert(font: Buffer, format: 'sfnt' | 'woff2'): Promise<Buffer>
}
