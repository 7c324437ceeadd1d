// How well text can be read on a ground, as the guidelines for web content (WCAG 2) compute it.

/** Red, green and blue of '#rrggbb'. */
export const channels = (colour: string): [number, number, number] => {
  const n = parseInt(colour.slice(1), 16);
  return [(n >> 16) & 255, (n >> 8) & 255, n & 255];
};

const luminance = (colour: string): number => {
  const [r, g, b] = channels(colour).map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** From 1 (the same brightness) to 21 (black and white). */
export const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

/** Black or white: one of them has at least 4.5 to 1 on any colour. */
export const readableOn = (ground: string): string => (contrast('#000000', ground) > contrast('#ffffff', ground) ? '#000000' : '#ffffff');
