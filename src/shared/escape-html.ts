/** Plain text as HTML, for the content of an element or of an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
