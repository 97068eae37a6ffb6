//go:build !noasm

#include "go_asm.h"
#include "textflag.h"

// Four entries at a time, with the operations of the Go code in their order, so that results have the same bits. Go's
// assembler writes operands from right to left: VSUBPD a, b, c is c = b − a.

// func storeExponentialsAsm(dst, src *float64, n int, factor float64,
//   constants *exponentialConstants, table *[intervals]uint64) (storedCount int)
TEXT ·storeExponentialsAsm(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD factor+24(FP), Y15
	MOVQ         constants+32(FP), BX
	MOVQ         table+40(FP), R8
	VMOVUPD      exponentialConstants_absoluteMask(BX), Y14           // the bits of an absolute value
	VMOVUPD      exponentialConstants_roundingShift(BX), Y13     // roundingShift
	VMOVUPD      exponentialConstants_indexMask(BX), Y12          // intervals − 1
	XORQ         AX, AX

four:
	LEAQ       4(AX), DX
	CMPQ       DX, CX
	JGT        end
	VMULPD     (SI)(AX*8), Y15, Y0    // x = factor·v
	VANDPD     Y14, Y0, Y1
	VCMPPD     $17, exponentialConstants_maxArgument(BX), Y1, Y1    // |x| < 700, and not NaN
	VMOVMSKPD  Y1, R9
	CMPL       R9, $15
	JNE        end
	VMULPD     exponentialConstants_tableStepsPerUnit(BX), Y0, Y1
	VADDPD     Y13, Y1, Y1            // t = x·intervals/ln 2 + roundingShift, whose last bits are k
	VANDPD     Y12, Y1, Y2
	VPCMPEQQ   Y4, Y4, Y4
	VPGATHERQQ Y4, (R8)(Y2*8), Y3     // table[k%intervals]
	VPSRLQ     $7, Y1, Y2
	VPSLLQ     $52, Y2, Y2
	VPADDQ     Y2, Y3, Y3             // s, with the exponent k/intervals
	VSUBPD     Y13, Y1, Y1            // t = k
	VMULPD     exponentialConstants_stepHighPart(BX), Y1, Y2
	VSUBPD     Y2, Y0, Y0
	VMULPD     exponentialConstants_stepLowPart(BX), Y1, Y1
	VSUBPD     Y1, Y0, Y0             // r = (x − t·stepHighPart) − t·stepLowPart
	VMULPD     Y0, Y0, Y1             // q = r²
	VMULPD     exponentialConstants_oneSixth(BX), Y0, Y2
	VADDPD     exponentialConstants_oneHalf(BX), Y2, Y2
	VMULPD     Y1, Y2, Y2
	VADDPD     Y0, Y2, Y2             // r + q(½ + r/6)
	VMULPD     exponentialConstants_oneOver120(BX), Y0, Y0
	VADDPD     exponentialConstants_oneOver24(BX), Y0, Y0
	VMULPD     Y1, Y1, Y1
	VMULPD     Y0, Y1, Y1
	VADDPD     Y1, Y2, Y2             // p, with q²(1/24 + r/120)
	VMULPD     Y3, Y2, Y2
	VADDPD     Y3, Y2, Y2             // s + sp
	VMOVUPD    Y2, (DI)(AX*8)
	MOVQ       DX, AX
	JMP        four

end:
	MOVQ AX, storedCount+48(FP)
	VZEROUPPER
	RET

// func storePowersAsm(dst, src *float64, n, d int) (storedCount int)
TEXT ·storePowersAsm(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ d+24(FP), R8
	XORQ AX, AX

four:
	LEAQ    4(AX), DX
	CMPQ    DX, CX
	JGT     end
	VMOVUPD (SI)(AX*8), Y0
	VMULPD  Y0, Y0, Y1             // v²
	CMPQ    R8, $3
	JLT     store
	JEQ     odd
	VMULPD  Y1, Y1, Y1             // v⁴
	CMPQ    R8, $4
	JEQ     store

odd:
	VMULPD Y0, Y1, Y1              // v³ or v⁵

store:
	VMOVUPD Y1, (DI)(AX*8)
	MOVQ    DX, AX
	JMP     four

end:
	MOVQ AX, storedCount+32(FP)
	VZEROUPPER
	RET

// func addAbsoluteDifferencesAsm(dst, src *float64, n int, a float64) (addedCount int)
TEXT ·addAbsoluteDifferencesAsm(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD a+24(FP), Y2
	VPCMPEQQ     Y3, Y3, Y3
	VPSRLQ       $1, Y3, Y3        // the bits of an absolute value
	XORQ         AX, AX

four:
	LEAQ    4(AX), DX
	CMPQ    DX, CX
	JGT     end
	VSUBPD  (SI)(AX*8), Y2, Y0     // a − v
	VANDPD  Y3, Y0, Y0
	VADDPD  (DI)(AX*8), Y0, Y0
	VMOVUPD Y0, (DI)(AX*8)
	MOVQ    DX, AX
	JMP     four

end:
	MOVQ AX, addedCount+32(FP)
	VZEROUPPER
	RET
