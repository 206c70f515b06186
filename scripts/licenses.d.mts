interface Lock {
  packages: Record<
    string,
    {
      version?: string;
      license?: string;
      optional?: boolean;
      devOptional?: boolean;
      link?: boolean;
      dependencies?: Record<string, string>;
      optionalDependencies?: Record<string, string>;
    }
  >;
}

interface Package {
  place: string;
  name: string;
  version: string | undefined;
  license: string;
  use: 'installed' | 'bundled' | 'development';
  isOptional: boolean;
}

export const LICENSES_FILE: string;
export function isPermissive(license: string): boolean;
export function packagesOf(lock: Lock): Package[];
export function unreviewed(packages: readonly Package[]): string[];
export function unexplained(
  manifest: Record<'dependencies' | 'optionalDependencies' | 'devDependencies', Record<string, string>>,
): string[];
export function licensesPage(lock: Lock): string;
export function readLock(): Lock;
