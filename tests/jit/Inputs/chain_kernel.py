"""A kernel of <length> dependent multiplications: chain_kernel.py <length> [<local range>]."""
import sys

length = int(sys.argv[1])
local = f' "falx-local-range"="{sys.argv[2]},1,1"' if len(sys.argv) > 2 else ""
print("declare i64 @__falx_global_id_x()")
print(f'define void @kernel(ptr %f) "falx-kind"="2" "falx-dimensions"="1" "falx-sub-group-size"="4"{local} {{')
print("  %id = call i64 @__falx_global_id_x()\n  %data = load ptr, ptr %f")
print("  %at = getelementptr float, ptr %data, i64 %id\n  %x0 = load float, ptr %at")
for number in range(length):
    print(f"  %x{number + 1} = fmul float %x{number}, %x{number // 2}")
print(f"  store float %x{length}, ptr %at\n  ret void\n}}")
