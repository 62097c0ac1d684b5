// The functions of complex numbers that NumPy takes from Windows' C library and that Wine 8's does not have.
// There a complex number is a struct, passed as other structs are, and a long double is a double.
#include <complex.h>

typedef struct {
  double real, imaginary;
} Double;

typedef struct {
  float real, imaginary;
} Float;

static double complex of_double(Double z) { return z.real + z.imaginary * (double complex)I; }
static float complex of_float(Float z) { return z.real + z.imaginary * (float complex)I; }
static Double to_double(double complex z) { return (Double){creal(z), cimag(z)}; }
static Float to_float(float complex z) { return (Float){crealf(z), cimagf(z)}; }

#define COMPLEX(name)                                                       \
  Double wine_##name(Double z) { return to_double(name(of_double(z))); }    \
  Double wine_##name##l(Double z) { return to_double(name(of_double(z))); } \
  Float wine_##name##f(Float z) { return to_float(name##f(of_float(z))); }
#define REAL(name)                                               \
  double wine_##name(Double z) { return name(of_double(z)); }    \
  double wine_##name##l(Double z) { return name(of_double(z)); } \
  float wine_##name##f(Float z) { return name##f(of_float(z)); }

COMPLEX(cacos)
COMPLEX(cacosh)
COMPLEX(casin)
COMPLEX(casinh)
COMPLEX(catan)
COMPLEX(catanh)
COMPLEX(ccos)
COMPLEX(ccosh)
COMPLEX(cexp)
COMPLEX(clog)
COMPLEX(csin)
COMPLEX(csinh)
COMPLEX(csqrt)
COMPLEX(ctan)
COMPLEX(ctanh)
REAL(cabs)
REAL(carg)
REAL(cimag)
REAL(creal)

Double wine_cpow(Double x, Double y) { return to_double(cpow(of_double(x), of_double(y))); }
Double wine_cpowl(Double x, Double y) { return to_double(cpow(of_double(x), of_double(y))); }
Float wine_cpowf(Float x, Float y) { return to_float(cpowf(of_float(x), of_float(y))); }
