declare module "d3-format" {
  export function format(specifier: string): (value: number) => string;
}
